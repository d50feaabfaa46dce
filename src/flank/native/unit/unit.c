#include "unit.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char MAGIC[8] = {'F', 'L', 'A', 'N', 'K', 'F', 'M', 'U'};
enum { FORMAT = 2, RESULTS = 8, MOST_CALLS = 8, ADVANCE = 0, SUMMED = 32 };
enum { TIME, INPUT, PARAMETER, OUTPUT };
enum { STEPPED, EVALUATED };

/* The parts of a resource, one behind the other: header, calls, variables, places, ramps, data. */
typedef struct {
    char magic[8];
    int64_t format, size;
    uint64_t checksum; /* of all that follows it: from byte SUMMED on */
    char build[16], token[64];
    int64_t kind; /* STEPPED in time by its first call, or EVALUATED by all of them */
    int64_t calls, words, relocations, variables, places, ramps, data;
    int64_t state, state_end; /* in the data: what changes, and a saved state holds */
    /* STEPPED; in the data begin and end of an interval, and counters; in the first row how many
     * times there are; steps in s */
    int64_t times, counters, times_word;
    double longest, shortest;
    /* EVALUATED; in the data outputs by inputs, row by row, and the first call for them alone */
    int64_t jacobian, columns, derivative_call;
} Header;

typedef struct {
    uint64_t types;
    int64_t first_word, words, first_relocation, relocations;
} Call;

typedef struct {
    int64_t kind, first, count; /* its places */
    int64_t index;              /* of an output its row, of an input its column; else -1 */
    double start, minimum;
} Variable;

/* A variable that is set stands there times a weight; one that is read is the sum of its places. */
typedef struct {
    int64_t at;
    double weight;
} Place;

/* A speed that is set: reached linearly over a step, so that angle and speed never jump. */
typedef struct {
    int64_t variable, offset, points; /* of the function: its offset, and two (time, speed) */
    double angle, speed;
} Ramp;

/* Behind it stand the values of all variables, then angle and speed of all ramps. */
typedef struct {
    uint64_t mark; /* of the resource, so that no other unit takes the state */
    int64_t size, phase;
    int64_t evaluated; /* EVALUATED; calls made for the inputs at hand */
    double start_time, reached, communicated;
} Motion;

struct Unit {
    Host host;
    char *name, *file;
    const Header *header;
    const Call *calls;
    int64_t *words;
    const Variable *variables;
    const Place *places;
    const Ramp *ramps;
    char *data;
    Kernel *kernels[MOST_CALLS];
    Motion *motion;
    double *values, *ramped;
    char *before, *first; /* states: before the step at hand, and as exported */
    int logs_steps;
};

static void say(const Unit *u, int status, const char *category, const char *format, ...) {
    char text[1024];
    va_list given;
    if (!u->host.log) return;
    va_start(given, format);
    vsnprintf(text, sizeof text, format, given);
    va_end(given);
    u->host.log(u, status, category, text);
}

static const char ERRORS[] = "logStatusError", DISCARDED[] = "logStatusDiscard", STEPS[] = "logSteps";

/* ---- from the file to an instance ---- */

static uint64_t checksum(const char *bytes, int64_t size) { /* of 64-bit words, after FNV-1a */
    uint64_t sum = 14695981039346656037u, word;
    for (int64_t k = 0; k + 8 <= size; k += 8) {
        memcpy(&word, bytes + k, 8);
        sum = (sum ^ word) * 1099511628211u;
    }
    return sum;
}

static int64_t parts_size(const Header *h) {
    const int64_t counts[] = {h->calls, h->words, h->relocations, h->variables, h->places, h->ramps, h->data};
    const int64_t sizes[] = {sizeof(Call), 8, 8, sizeof(Variable), sizeof(Place), sizeof(Ramp), 1};
    int64_t size = sizeof(Header);
    for (int k = 0; k < 7; k++) {
        if (counts[k] < 0 || counts[k] > (h->size - size) / sizes[k]) return -1;
        size += counts[k] * sizes[k];
    }
    return size;
}

static int inside(const Unit *u, int64_t at) {
    return at >= 0 && at % 8 == 0 && at <= u->header->data - 8;
}

static int within(int64_t first, int64_t count, int64_t all) {
    return first >= 0 && count >= 0 && first <= all && count <= all - first;
}

/* Whether what only one kind of units has lies where it may. */
static int is_sound_of_kind(const Unit *u) {
    const Header *h = u->header;
    if (h->kind == EVALUATED) {
        if (!inside(u, h->jacobian) || h->columns < 1) return 0;
        if (!within(h->derivative_call, 0, h->calls)) return 0;
        int64_t rows = (h->data - h->jacobian) / 8 / h->columns;
        for (int64_t k = 0; k < h->variables; k++) {
            const Variable *v = u->variables + k;
            if (v->kind == OUTPUT && !within(v->index, 1, rows)) return 0;
            if (v->kind == INPUT && !within(v->index, 1, h->columns)) return 0;
        }
        return 1;
    }
    if (!inside(u, h->times) || !inside(u, h->times + 8)) return 0;
    if (!inside(u, h->counters) || !inside(u, h->counters + 24)) return 0;
    if (h->times_word < RESULTS || h->times_word >= u->calls[ADVANCE].words) return 0;
    return h->kind == STEPPED && h->shortest > 0 && h->shortest <= h->longest && h->longest < INFINITY;
}

/* Whether all numbers of places lie where they may: a file may be of this build and yet wrong. */
static int is_sound(const Unit *u) {
    const Header *h = u->header;
    if (h->calls < 1 || h->data % 8 || h->variables < 1 || !is_sound_of_kind(u)) return 0;
    if (h->state < 0 || h->state > h->state_end || h->state_end > h->data) return 0;
    for (int64_t k = 0; k < h->calls; k++) {
        const Call *c = u->calls + k;
        if (!within(c->first_word, c->words, h->words) || c->words < RESULTS) return 0;
        if (!within(c->first_relocation, c->relocations, h->relocations)) return 0;
    }
    for (int64_t k = 0; k < h->variables; k++) {
        const Variable *v = u->variables + k;
        if (!within(v->first, v->count, h->places)) return 0;
    }
    for (int64_t k = 0; k < h->places; k++)
        if (!inside(u, u->places[k].at)) return 0;
    for (int64_t k = 0; k < h->ramps; k++) {
        const Ramp *r = u->ramps + k;
        if (r->variable < 0 || r->variable >= h->variables) return 0;
        if (!inside(u, r->offset) || !inside(u, r->points) || !inside(u, r->points + 24)) return 0;
    }
    return 1;
}

/* Addresses in the rows count from the data; make them those of this instance. */
static int relocate(Unit *u) {
    const int64_t *relocations = u->words + u->header->words;
    for (int64_t k = 0; k < u->header->calls; k++) {
        const Call *c = u->calls + k;
        int64_t *row = u->words + c->first_word;
        for (int64_t i = 0; i < c->relocations; i++) {
            int64_t word = relocations[c->first_relocation + i];
            if (word < RESULTS || word >= c->words) return 0;
            if (row[word] < 0 || row[word] > u->header->data) return 0;
            row[word] += (int64_t)(intptr_t)u->data;
        }
    }
    return 1;
}

static int find_kernels(Unit *u) {
    for (int64_t k = 0; k < u->header->calls; k++)
        for (int64_t i = 0; i < flank_entry_count; i++)
            if (flank_entries[i].types == u->calls[k].types) u->kernels[k] = flank_entries[i].kernel;
    for (int64_t k = 0; k < u->header->calls; k++)
        if (!u->kernels[k]) return 0;
    return 1;
}

static void find_parts(Unit *u) {
    const Header *h = u->header;
    u->calls = (const Call *)(h + 1);
    u->words = (int64_t *)(u->calls + h->calls);
    u->variables = (const Variable *)(u->words + h->words + h->relocations);
    u->places = (const Place *)(u->variables + h->variables);
    u->ramps = (const Ramp *)(u->places + h->places);
    u->data = (char *)(u->ramps + h->ramps);
}

static char *joined(const char *folder, size_t length, const char *file) {
    char *path = malloc(length + strlen(file) + 2);
    if (!path) return NULL;
    memcpy(path, folder, length);
    path[length] = 0;
    if (length && path[length - 1] != '/' && path[length - 1] != '\\') strcat(path, "/");
    return strcat(path, file);
}

/* The whole file in memory of 8-byte alignment; NULL where it cannot be read. */
static char *read_file(const char *path, int64_t *size) {
    FILE *file = fopen(path, "rb");
    char *content = NULL;
    long end;
    if (!file) return NULL;
    if (!fseek(file, 0, SEEK_END) && (end = ftell(file)) >= 0 && !fseek(file, 0, SEEK_SET)) {
        *size = end;
        content = malloc((size_t)end + 8);
        if (content && fread(content, 1, (size_t)end, file) != (size_t)end) {
            free(content);
            content = NULL;
        }
    }
    fclose(file);
    return content;
}

static const char *refusal(Unit *u, int64_t size, const char *token) {
    const Header *h = u->header;
    if (size % 8 || size < (int64_t)sizeof(Header) || memcmp(h->magic, MAGIC, sizeof MAGIC) || h->format != FORMAT)
        return "is no resource of this kind of unit; unpack or export the unit anew";
    if (h->size != size || parts_size(h) != size)
        return "is not whole; unpack or export the unit anew";
    if (checksum(u->file + SUMMED, size - SUMMED) != h->checksum)
        return "is damaged, its checksum is another; unpack or export the unit anew";
    if (memcmp(h->build, flank_build, sizeof h->build))
        return "was written for another build of the kernels than this binary has; export the unit anew";
    if (!token || strncmp(h->token, token, sizeof h->token))
        return "is of another unit than modelDescription.xml: their tokens differ; export the unit anew";
    find_parts(u);
    if (h->calls > MOST_CALLS || !find_kernels(u))
        return "holds a model of types for which this binary has no kernel; export the unit anew";
    if (!is_sound(u) || !relocate(u))
        return "names places that it does not have; export the unit anew";
    return NULL;
}

static int allocate(Unit *u) {
    const Header *h = u->header;
    size_t size = sizeof(Motion) + 8 * (size_t)(h->variables + 2 * h->ramps);
    u->motion = calloc(1, size);
    if (!u->motion) return 0;
    u->values = (double *)(u->motion + 1);
    u->ramped = u->values + h->variables;
    u->motion->mark = h->checksum;
    u->motion->size = (int64_t)unit_state_size(u);
    u->motion->phase = INSTANTIATED;
    for (int64_t k = 0; k < h->variables; k++) u->values[k] = u->variables[k].start;
    for (int64_t k = 0; k < h->ramps; k++) {
        u->ramped[2 * k] = u->ramps[k].angle;
        u->ramped[2 * k + 1] = u->ramps[k].speed;
    }
    u->before = malloc(unit_state_size(u));
    u->first = malloc(unit_state_size(u));
    return u->before && u->first;
}

static void copy_out(const Unit *u, char *state) {
    size_t front = unit_state_size(u) - (size_t)(u->header->state_end - u->header->state);
    memcpy(state, u->motion, front);
    memcpy(state + front, u->data + u->header->state, (size_t)(u->header->state_end - u->header->state));
}

Unit *unit_new(const char *folder, size_t length, const char *token, Host host) {
    Unit *u = calloc(1, sizeof *u);
    char *path = joined(folder, length, "unit.bin");
    int64_t size = 0;
    const char *why = "could not be read for want of memory";
    if (!u || !path) goto failed;
    u->host = host;
    u->host.name = "";
    if (!(u->name = malloc(strlen(host.name) + 1))) goto failed;
    u->host.name = strcpy(u->name, host.name);
    why = "cannot be read; unpack the whole unit, and give its folder 'resources'";
    if (!(u->file = read_file(path, &size))) goto failed;
    u->header = (const Header *)u->file;
    if ((why = refusal(u, size, token))) goto failed;
    why = "could not be read for want of memory";
    if (!allocate(u)) goto failed;
    copy_out(u, u->first);
    free(path);
    return u;
failed:
    if (u) say(u, ERROR, ERRORS, "%s %s.", path ? path : "The resource", why);
    free(path);
    unit_free(u);
    return NULL;
}

void unit_free(Unit *u) {
    if (!u) return;
    free(u->before);
    free(u->first);
    free(u->motion);
    free(u->file);
    free(u->name);
    free(u);
}

const Host *unit_host(const Unit *u) { return &u->host; }

int unit_exchanges(const Unit *u) { return u->header->kind == EVALUATED; }

void unit_set_logging(Unit *u, int on) { u->logs_steps = on; }

/* ---- what may be called when ---- */

int unit_expects(Unit *u, int phases, const char *function) {
    if (!u) return 0;
    if (u->motion->phase & phases) return 1;
    say(u, ERROR, ERRORS, "%s may not be called at this point of a simulation.", function);
    return 0;
}

int unit_refuses(Unit *u, const char *function, const char *why) {
    if (u) say(u, ERROR, ERRORS, "%s: %s.", function, why);
    return ERROR;
}

int unit_setup(Unit *u, double start_time) {
    if (!(fabs(start_time) < INFINITY)) return unit_refuses(u, "start time", "give a finite one");
    u->motion->start_time = u->motion->communicated = start_time;
    return OK;
}

int unit_enter(Unit *u) {
    u->motion->phase = INITIALIZING;
    return OK;
}

int unit_terminate(Unit *u) {
    u->motion->phase = TERMINATED;
    return OK;
}

/* ---- variables ---- */

static double *number(const Unit *u, int64_t at) { return (double *)(u->data + at); }

static void apply(Unit *u, int64_t variable) {
    const Variable *v = u->variables + variable;
    for (int64_t k = v->first; k < v->first + v->count; k++)
        *number(u, u->places[k].at) = u->places[k].weight * u->values[variable];
}

static double reading(const Unit *u, int64_t variable) {
    const Variable *v = u->variables + variable;
    double sum = 0;
    for (int64_t k = v->first; k < v->first + v->count; k++)
        sum += u->places[k].weight * *number(u, u->places[k].at);
    return sum;
}

static int64_t call(Unit *u, int64_t number) {
    int64_t status = 0, *row = u->words + u->calls[number].first_word;
    void *error = NULL;
    return u->kernels[number](&status, &error, row) ? -1 : row[0];
}

/* Calls of an evaluated unit that were not yet made for the inputs at hand, up to one of them. */
static int evaluate(Unit *u, int64_t end) {
    if (u->header->kind != EVALUATED || u->motion->evaluated >= end) return OK;
    for (int64_t k = u->motion->evaluated; k < end; k++) call(u, k);
    for (int64_t k = 0; k < u->header->variables; k++)
        if (u->variables[k].kind == OUTPUT && !(fabs(reading(u, k)) < INFINITY)) {
            say(u, DISCARD, DISCARDED, "The outputs are not finite at these inputs; check them.");
            return DISCARD;
        }
    u->motion->evaluated = end;
    return OK;
}

static int evaluate_outputs(Unit *u) { return evaluate(u, u->header->derivative_call); }

int unit_get(Unit *u, const uint32_t *references, size_t count, double *values) {
    int status = evaluate_outputs(u);
    if (status) return status;
    for (size_t k = 0; k < count; k++) {
        uint32_t r = references[k];
        if (r >= u->header->variables) {
            say(u, ERROR, ERRORS, "There is no variable with the value reference %u to be read.", r);
            return ERROR;
        }
        if (u->variables[r].kind == TIME) values[k] = u->motion->communicated;
        else values[k] = u->variables[r].kind == OUTPUT ? reading(u, r) : u->values[r];
    }
    return OK;
}

static int is_settable(Unit *u, uint32_t r, double value) {
    double minimum;
    if (r >= u->header->variables) {
        say(u, ERROR, ERRORS, "There is no variable with the value reference %u to be set.", r);
        return 0;
    }
    if (u->variables[r].kind != INPUT && u->variables[r].kind != PARAMETER) {
        say(u, ERROR, ERRORS, "The variable with the value reference %u is an output; it cannot be set.", r);
        return 0;
    }
    minimum = u->variables[r].minimum;
    if (!(fabs(value) < INFINITY) || value < minimum) {
        char least[40] = "";
        if (minimum == 0) strcpy(least, " that is not negative");
        else if (minimum > -INFINITY) snprintf(least, sizeof least, " of at least %g", minimum);
        say(u, ERROR, ERRORS, "The variable with the value reference %u cannot be %g; give a finite number%s.", r,
            value, least);
        return 0;
    }
    return 1;
}

/* All of them, or none where one is refused. */
int unit_set(Unit *u, const uint32_t *references, size_t count, const double *values) {
    for (size_t k = 0; k < count; k++)
        if (!is_settable(u, references[k], values[k])) return ERROR;
    for (size_t k = 0; k < count; k++) {
        u->values[references[k]] = values[k];
        apply(u, references[k]);
    }
    u->motion->evaluated = 0;
    return OK;
}

/* The number of a row or column of the Jacobian; -1 with a sentence where there is none. */
static int64_t index_of(Unit *u, uint32_t reference, int kind) {
    if (reference < u->header->variables && u->variables[reference].kind == kind)
        return u->variables[reference].index;
    say(u, ERROR, ERRORS, "Derivatives are those of outputs by inputs; the value reference %u is no %s.", reference,
        kind == OUTPUT ? "output" : "input");
    return -1;
}

/* Sums over the knowns for every unknown; the other way round if they are transposed. */
int unit_derivative(Unit *u, const uint32_t *outputs, size_t rows, const uint32_t *inputs, size_t columns,
                    const double *seed, double *sums, int transposed) {
    int status;
    if (!unit_exchanges(u)) return unit_refuses(u, "Derivatives", "the unit does not offer them");
    if ((status = evaluate(u, u->header->calls))) return status;
    for (size_t k = 0; k < (transposed ? columns : rows); k++) sums[k] = 0;
    for (size_t i = 0; i < rows; i++)
        for (size_t j = 0; j < columns; j++) {
            int64_t row = index_of(u, outputs[i], OUTPUT), column = row < 0 ? -1 : index_of(u, inputs[j], INPUT);
            if (column < 0) return ERROR;
            double entry = *number(u, u->header->jacobian + 8 * (row * u->header->columns + column));
            sums[transposed ? j : i] += entry * seed[transposed ? i : j];
        }
    return OK;
}

/* ---- states ---- */

size_t unit_state_size(const Unit *u) {
    const Header *h = u->header;
    return sizeof(Motion) + 8 * (size_t)(h->variables + 2 * h->ramps) + (size_t)(h->state_end - h->state);
}

static void copy_in(Unit *u, const char *state) {
    size_t front = unit_state_size(u) - (size_t)(u->header->state_end - u->header->state);
    memcpy(u->motion, state, front);
    memcpy(u->data + u->header->state, state + front, (size_t)(u->header->state_end - u->header->state));
    for (int64_t k = 0; k < u->header->variables; k++)
        if (u->variables[k].kind == INPUT || u->variables[k].kind == PARAMETER) apply(u, k);
}

int unit_keep(Unit *u, void **state) {
    if (!state) return unit_refuses(u, "A state", "no place is given for it");
    if (!*state) *state = malloc(unit_state_size(u));
    if (!*state) return unit_refuses(u, "A state", "there is no memory left for it");
    copy_out(u, *state);
    return OK;
}

static int is_of(Unit *u, const void *state, size_t size) {
    Motion motion;
    if (state && size == unit_state_size(u)) {
        memcpy(&motion, state, sizeof motion);
        if (motion.mark == u->header->checksum && (size_t)motion.size == size && motion.evaluated >= 0) return 1;
    }
    say(u, ERROR, ERRORS, "The state is of another unit, or damaged.");
    return 0;
}

int unit_restore(Unit *u, const void *state) {
    if (!is_of(u, state, unit_state_size(u))) return ERROR;
    copy_in(u, state);
    return OK;
}

int unit_write_state(Unit *u, const void *state, char *bytes, size_t size) {
    if (!is_of(u, state, size)) return ERROR;
    memcpy(bytes, state, size);
    return OK;
}

int unit_read_state(Unit *u, const char *bytes, size_t size, void **state) {
    if (!state || !is_of(u, bytes, size)) return ERROR;
    if (!*state) *state = malloc(size);
    if (!*state) return unit_refuses(u, "A state", "there is no memory left for it");
    memcpy(*state, bytes, size);
    return OK;
}

int unit_reset(Unit *u) {
    copy_in(u, u->first);
    return OK;
}

/* ---- time ---- */

double unit_time(const Unit *u) { return u->motion->communicated; }

void unit_set_time(Unit *u, double time) { u->motion->communicated = time; }

/* One interval, or a consistent start where it has no length. */
static int64_t advance(Unit *u, double begin, double end) {
    double *times = number(u, u->header->times);
    int64_t *count = u->words + u->calls[ADVANCE].first_word + u->header->times_word;
    int64_t status;
    times[0] = begin;
    times[1] = end;
    *count = end > begin ? 2 : 1;
    status = call(u, ADVANCE);
    for (int64_t k = ADVANCE + 1; !status && k < u->header->calls; k++) call(u, k);
    return status;
}

static int discard(Unit *u, int64_t status, double at) {
    const char *sentence = "A kernel failed.";
    if (status >= 0 && status < flank_sentence_count) sentence = flank_sentences[status];
    say(u, DISCARD, DISCARDED, "Nothing is done at %.9g s: %s", at + u->motion->start_time, sentence);
    copy_in(u, u->before);
    return DISCARD;
}

/* From where a ramp is, to another speed at the end. */
static void point_ramp(Unit *u, int64_t k, double begin, double end, double speed) {
    double *points = number(u, u->ramps[k].points);
    *number(u, u->ramps[k].offset) = u->ramped[2 * k];
    points[0] = begin;
    points[1] = u->ramped[2 * k + 1];
    points[2] = end;
    points[3] = speed;
}

int unit_start(Unit *u) {
    int64_t status;
    if (u->header->kind == EVALUATED) {
        if (evaluate_outputs(u)) return ERROR;
        u->motion->phase = RUNNING;
        return OK;
    }
    copy_out(u, u->before);
    for (int64_t k = 0; k < u->header->ramps; k++) /* constant, until a step leads elsewhere */
        point_ramp(u, k, u->motion->reached, u->motion->reached + 1, u->ramped[2 * k + 1]);
    status = advance(u, u->motion->reached, u->motion->reached);
    if (status) {
        discard(u, status, u->motion->reached);
        return ERROR;
    }
    u->motion->phase = RUNNING;
    return OK;
}

static void close_ramps(Unit *u, double length) {
    for (int64_t k = 0; k < u->header->ramps; k++) {
        double speed = u->values[u->ramps[k].variable];
        u->ramped[2 * k] += 0.5 * (u->ramped[2 * k + 1] + speed) * length;
        u->ramped[2 * k + 1] = speed;
    }
}

static int is_next(Unit *u, double time, double length) {
    double expected = u->motion->communicated;
    if (!(length > 0 && length < INFINITY)) {
        say(u, ERROR, ERRORS, "A step of %g s cannot be done; it must be positive.", length);
        return 0;
    }
    if (!(fabs(time - expected) <= 1e-9 * length + 1e-12 * fabs(time))) {
        say(u, ERROR, ERRORS, "The step begins at %.12g s, but the last one ended at %.12g s.", time, expected);
        return 0;
    }
    return 1;
}

/* In equal intervals no longer than the exported step. What is shorter than kernels resolve is
 * left for the step that follows. */
int unit_step(Unit *u, double time, double length) {
    double begin = u->motion->reached, span, count;
    const int64_t *counters = (const int64_t *)(u->data + u->header->counters);
    int64_t steps, rejected;
    if (!is_next(u, time, length)) return ERROR;
    if (u->header->kind == EVALUATED) {
        u->motion->communicated = time + length;
        return evaluate_outputs(u);
    }
    steps = counters[0];
    rejected = counters[2];
    span = time + length - u->motion->start_time - begin;
    if (span > 0.5 * u->header->shortest) {
        copy_out(u, u->before);
        for (int64_t k = 0; k < u->header->ramps; k++)
            point_ramp(u, k, begin, begin + span, u->values[u->ramps[k].variable]);
        count = fmax(ceil(span / u->header->longest - 1e-9), 1);
        for (double k = 0; k < count; k++) {
            double last = k + 1 < count ? begin + span * ((k + 1) / count) : begin + span;
            int64_t status = advance(u, begin + span * (k / count), last);
            if (status) return discard(u, status, begin);
        }
        close_ramps(u, span);
        u->motion->reached = begin + span;
    }
    u->motion->communicated = time + length;
    if (u->logs_steps)
        say(u, OK, STEPS, "%.9g s: %lld steps were taken, %lld taken again shorter.", time + length,
            (long long)(counters[0] - steps), (long long)(counters[2] - rejected));
    return OK;
}
