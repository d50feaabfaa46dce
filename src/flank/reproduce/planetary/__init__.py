"""The rigid and flexible planetary gearboxes of Jørgensen, Pedersen and Sørensen computed anew."""
