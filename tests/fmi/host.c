/* A host without Python: host BINARY RESOURCES TOKEN VERSION STEPS STEP INPUT FIRST SECOND OUTPUT
 *
 * Loads a unit and runs two instances side by side, with the values FIRST and SECOND of the variable
 * with the reference INPUT. Half-way the first is saved, run on, restored and run on again, by a
 * copy and through bytes. Prints five outputs from the reference OUTPUT on of both, all digits, and
 * what the log says. Exits with the number of checks that failed.
 */
#include <dlfcn.h>
#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { OUTPUTS = 5 };
static uint32_t outputs[OUTPUTS], input;
static void *library;
static int version, failures;
static double step;

static void check(bool holds, const char *what) {
    if (holds) return;
    failures++;
    printf("failed: %s\n", what);
}

static void *function(const char *name) {
    char full[100];
    snprintf(full, sizeof full, "fmi%d%s", version, name);
    void *found = dlsym(library, full);
    if (!found) {
        printf("missing: %s\n", full);
        exit(99);
    }
    return found;
}

static void write_log_2(void *environment, const char *name, int status, const char *category, const char *text, ...) {
    printf("log %s %d %s: %s\n", name, status, category, text);
}
static void write_log_3(void *environment, int status, const char *category, const char *text) {
    printf("log %s %d %s: %s\n", (const char *)environment, status, category, text);
}
typedef struct {
    void (*logger)(void *, const char *, int, const char *, const char *, ...);
    void *(*allocate)(size_t, size_t);
    void (*release)(void *);
    void *finished, *environment;
} Callbacks;

static void *instantiate(const char *name, const char *token, const char *resources) {
    static const Callbacks callbacks = {write_log_2, calloc, free, NULL, NULL};
    if (version == 2) {
        void *(*make)(const char *, int, const char *, const char *, const Callbacks *, int, int) = function("Instantiate");
        return make(name, 1, token, resources, &callbacks, 0, 0);
    }
    void *(*make)(const char *, const char *, const char *, bool, bool, bool, bool, const uint32_t *, size_t, void *,
                  void (*)(void *, int, const char *, const char *), void *) = function("InstantiateCoSimulation");
    return make(name, token, resources, false, false, false, false, NULL, 0, (void *)name, write_log_3, NULL);
}

static int initialize(void *unit) {
    int (*leave)(void *) = function("ExitInitializationMode");
    if (version == 2) {
        int (*set)(void *, int, double, double, int, double) = function("SetupExperiment");
        int (*enter)(void *) = function("EnterInitializationMode");
        return set(unit, 0, 0, 0, 0, 0) || enter(unit) || leave(unit);
    }
    int (*enter)(void *, bool, double, double, bool, double) = function("EnterInitializationMode");
    return enter(unit, false, 0, 0, false, 0) || leave(unit);
}

static int set(void *unit, uint32_t reference, double value) {
    if (version == 2) {
        int (*call)(void *, const uint32_t *, size_t, const double *) = function("SetReal");
        return call(unit, &reference, 1, &value);
    }
    int (*call)(void *, const uint32_t *, size_t, const double *, size_t) = function("SetFloat64");
    return call(unit, &reference, 1, &value, 1);
}

static void read_outputs(void *unit, double *values) {
    if (version == 2) {
        int (*call)(void *, const uint32_t *, size_t, double *) = function("GetReal");
        check(!call(unit, outputs, OUTPUTS, values), "outputs are read");
        return;
    }
    int (*call)(void *, const uint32_t *, size_t, double *, size_t) = function("GetFloat64");
    check(!call(unit, outputs, OUTPUTS, values, OUTPUTS), "outputs are read");
}

static int do_step(void *unit, double time, double length) {
    if (version == 2) {
        int (*call)(void *, double, double, int) = function("DoStep");
        return call(unit, time, length, 1);
    }
    bool event, terminate, early;
    double last;
    int (*call)(void *, double, double, bool, bool *, bool *, bool *, double *) = function("DoStep");
    int status = call(unit, time, length, true, &event, &terminate, &early, &last);
    check(!event && !terminate && !early, "a step asks for nothing");
    return status;
}

static void run(void *unit, int first, int last) {
    for (int k = first; k < last; k++) check(!do_step(unit, k * step, step), "a step is done");
}

static void same(void *unit, const double *expected, const char *what) {
    double values[OUTPUTS];
    read_outputs(unit, values);
    check(!memcmp(values, expected, sizeof values), what);
}

/* By a copy, and by bytes taken to another instance. */
static void save_and_restore(void *unit, void *other, int half, int steps) {
    const char *read_name = version == 2 ? "DeSerializeFMUstate" : "DeserializeFMUState";
    const char *write_name = version == 2 ? "SerializeFMUstate" : "SerializeFMUState";
    int (*get)(void *, void **) = function(version == 2 ? "GetFMUstate" : "GetFMUState");
    int (*put)(void *, void *) = function(version == 2 ? "SetFMUstate" : "SetFMUState");
    int (*release)(void *, void **) = function(version == 2 ? "FreeFMUstate" : "FreeFMUState");
    int (*size_of)(void *, void *, size_t *) = function(version == 2 ? "SerializedFMUstateSize" : "SerializedFMUStateSize");
    int (*write)(void *, void *, char *, size_t) = function(write_name);
    int (*read)(void *, const char *, size_t, void **) = function(read_name);
    void *state = NULL, *taken = NULL;
    double end[OUTPUTS];
    size_t size = 0;
    check(!get(unit, &state), "a state is saved");
    check(!size_of(unit, state, &size) && size > 0, "a state has a size");
    char *bytes = malloc(size);
    check(!write(unit, state, bytes, size), "a state becomes bytes");
    run(unit, half, steps);
    read_outputs(unit, end);
    check(!put(unit, state), "a state is restored");
    run(unit, half, steps);
    same(unit, end, "the same comes after a restored state");
    check(!read(other, bytes, size, &taken) && !put(other, taken), "bytes become a state");
    run(other, half, steps);
    same(other, end, "another instance goes on the same");
    bytes[0] ^= 1;
    check(read(other, bytes, size, &taken) == 3, "a damaged state is refused");
    release(unit, &state);
    release(other, &taken);
    check(!state && !taken, "states are freed");
    free(bytes);
}

static void print_outputs(void *unit, const char *name) {
    double values[OUTPUTS];
    read_outputs(unit, values);
    printf("%s", name);
    for (int k = 0; k < OUTPUTS; k++) printf(" %.17g", values[k]);
    printf("\n");
}

int main(int count, char **given) {
    if (count != 11) return 98;
    input = (uint32_t)atoi(given[7]);
    for (int k = 0; k < OUTPUTS; k++) outputs[k] = (uint32_t)(atoi(given[10]) + k);
    version = atoi(given[4]);
    int steps = atoi(given[5]);
    step = atof(given[6]);
    library = dlopen(given[1], RTLD_NOW | RTLD_LOCAL);
    if (!library) {
        printf("not loaded: %s\n", dlerror());
        return 97;
    }
    check(!dlsym(library, "flank_entries"), "names of kernels are hidden");
    check(!instantiate("wrong", "another token", given[2]), "another token is refused");
    void *first = instantiate("first", given[3], given[2]);
    void *second = instantiate("second", given[3], given[2]), *third = instantiate("third", given[3], given[2]);
    if (!first || !second || !third) return 96;
    check(do_step(first, 0, step) == 3, "no step comes before initialization");
    check(!set(first, input, atof(given[8])) && !set(second, input, atof(given[9])), "values are set");
    check(!initialize(first) && !initialize(second) && !initialize(third), "instances start");
    for (int k = 0; k < steps; k++) { /* in turns */
        check(!do_step(first, k * step, step), "a step is done");
        check(!do_step(second, k * step, step), "a step is done");
    }
    print_outputs(first, "first");
    print_outputs(second, "second");
    int (*reset)(void *) = function("Reset");
    check(!reset(first) && !set(first, input, atof(given[8])) && !initialize(first), "an instance starts anew");
    run(first, 0, steps / 2);
    save_and_restore(first, third, steps / 2, steps);
    print_outputs(first, "again");
    check(do_step(first, 0, step) == 3, "a step in the past is refused");
    check(do_step(first, steps * step, -1) == 3, "a negative step is refused");
    check(set(first, outputs[0], 1) == 3, "an output cannot be set");
    check(set(first, 1000000, 1) == 3, "an unknown variable cannot be set");
    check(set(first, input, HUGE_VAL) == 3, "an infinite value cannot be set");
    void (*release)(void *) = function("FreeInstance");
    release(first);
    release(second);
    release(third);
    release(NULL);
    dlclose(library);
    return failures;
}
