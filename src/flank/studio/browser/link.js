// The socket to the studio: numbered questions, and answers to whom they concern.

export class Link {
  constructor(take, lost) {
    this.take = take; // by what is told
    this.lost = lost;
    this.number = 0;
    this.waiting = [];
    const address = new URL("socket", document.baseURI);
    address.protocol = "ws:";
    this.socket = new WebSocket(address);
    this.socket.addEventListener("open", () => {
      for (const text of this.waiting.splice(0)) this.socket.send(text);
    });
    this.socket.addEventListener("message", ({ data }) => {
      const message = JSON.parse(data);
      this.take[message.tell]?.(message);
    });
    this.socket.addEventListener("close", ({ reason }) => this.lost(reason));
  }

  /** Ask something; returns its number. */
  ask(what, more = {}) {
    this.number += 1;
    const text = JSON.stringify({ ask: what, number: this.number, ...more });
    if (this.socket.readyState === WebSocket.OPEN) this.socket.send(text);
    else this.waiting.push(text);
    return this.number;
  }
}
