/* The functions of FMI 2. Types are written out, so that no header of the standard is needed;
 * tests compile this file with those headers, which refuse what differs. */
#include "unit.h"

#include <stdlib.h>
#include <string.h>

#ifndef fmi2Functions_h
typedef void *fmi2Component;
typedef int fmi2Boolean, fmi2Integer, fmi2Status, fmi2Type, fmi2StatusKind;
typedef double fmi2Real;
typedef const char *fmi2String;
typedef char fmi2Byte;
typedef unsigned int fmi2ValueReference;
typedef void *fmi2FMUstate;
typedef void (*fmi2CallbackLogger)(void *, fmi2String, fmi2Status, fmi2String, fmi2String, ...);
typedef struct {
    fmi2CallbackLogger logger;
    void *(*allocateMemory)(size_t, size_t);
    void (*freeMemory)(void *);
    void (*stepFinished)(void *, fmi2Status);
    void *componentEnvironment;
} fmi2CallbackFunctions;
typedef struct {
    fmi2Boolean needed, terminate, nominals, values, defined;
    fmi2Real next;
} fmi2EventInfo;
enum { fmi2ModelExchange, fmi2CoSimulation };
enum { fmi2DoStepStatus, fmi2PendingStatus, fmi2LastSuccessfulTime, fmi2Terminated };
#endif

/* A log is a format: what looks like one in the text is made plain. */
static void write_log(const Unit *u, int status, const char *category, const char *text) {
    char plain[2100], *to = plain;
    const Host *host = unit_host(u);
    for (; *text && to < plain + sizeof plain - 2; text++) {
        if (*text == '%' || *text == '#') *to++ = *text;
        *to++ = *text;
    }
    *to = 0;
    ((fmi2CallbackLogger)host->function)(host->environment, host->name, status, category, plain);
}

static int from_hex(char c) {
    if (c >= '0' && c <= '9') return c - '0';
    if (c >= 'a' && c <= 'f') return c - 'a' + 10;
    return c >= 'A' && c <= 'F' ? c - 'A' + 10 : -1;
}

/* The folder of a URI such as file:///a%20b; returns its length. */
static size_t decode(const char *uri, char *folder) {
    size_t length = 0;
    if (!strncmp(uri, "file://", 7)) {
        uri += 7;
        if (!strncmp(uri, "localhost/", 10)) uri += 9;
        if (uri[0] == '/' && uri[1] && uri[2] == ':') uri++; /* /C:/ of Windows */
    } else if (!strncmp(uri, "file:", 5)) {
        uri += 5;
    }
    while (*uri) {
        int high = *uri == '%' ? from_hex(uri[1]) : -1, low = high < 0 ? -1 : from_hex(uri[2]);
        folder[length++] = (char)(low < 0 ? *uri : 16 * high + low);
        uri += low < 0 ? 1 : 3;
    }
    return length;
}

static const char NO_EXCHANGE[] = "the unit is for co-simulation, not for model exchange";

EXPORT const char *fmi2GetTypesPlatform(void) { return "default"; }
EXPORT const char *fmi2GetVersion(void) { return "2.0"; }

EXPORT fmi2Component fmi2Instantiate(fmi2String name, fmi2Type type, fmi2String guid, fmi2String resources,
                                     const fmi2CallbackFunctions *functions, fmi2Boolean visible,
                                     fmi2Boolean logging) {
    Host host = {NULL, NULL, NULL, name ? name : ""};
    Unit *u;
    char *folder = malloc(resources ? strlen(resources) + 1 : 1);
    (void)visible;
    if (!folder) return NULL;
    if (functions && functions->logger) {
        host.log = write_log;
        host.environment = functions->componentEnvironment;
        host.function = (void (*)(void))functions->logger;
    }
    u = unit_new(folder, resources ? decode(resources, folder) : 0, guid, host);
    free(folder);
    if (u && type != fmi2CoSimulation && !unit_exchanges(u)) {
        unit_refuses(u, "fmi2Instantiate", NO_EXCHANGE);
        unit_free(u);
        return NULL;
    }
    if (u) unit_set_logging(u, logging);
    return u;
}

EXPORT void fmi2FreeInstance(fmi2Component c) { unit_free(c); }

EXPORT fmi2Status fmi2SetDebugLogging(fmi2Component c, fmi2Boolean on, size_t count, const fmi2String categories[]) {
    int steps = count == 0;
    if (!unit_expects(c, ANY, "fmi2SetDebugLogging")) return ERROR;
    for (size_t k = 0; k < count; k++) steps |= !strcmp(categories[k], "logSteps") || !strcmp(categories[k], "logAll");
    if (steps) unit_set_logging(c, on);
    return OK;
}

EXPORT fmi2Status fmi2SetupExperiment(fmi2Component c, fmi2Boolean has_tolerance, fmi2Real tolerance, fmi2Real start,
                                      fmi2Boolean has_stop, fmi2Real stop) {
    (void)has_tolerance, (void)tolerance, (void)has_stop, (void)stop;
    return unit_expects(c, INSTANTIATED, "fmi2SetupExperiment") ? unit_setup(c, start) : ERROR;
}

EXPORT fmi2Status fmi2EnterInitializationMode(fmi2Component c) {
    return unit_expects(c, INSTANTIATED, "fmi2EnterInitializationMode") ? unit_enter(c) : ERROR;
}
EXPORT fmi2Status fmi2ExitInitializationMode(fmi2Component c) {
    return unit_expects(c, INITIALIZING, "fmi2ExitInitializationMode") ? unit_start(c) : ERROR;
}
EXPORT fmi2Status fmi2Terminate(fmi2Component c) {
    return unit_expects(c, RUNNING, "fmi2Terminate") ? unit_terminate(c) : ERROR;
}
EXPORT fmi2Status fmi2Reset(fmi2Component c) { return unit_expects(c, ANY, "fmi2Reset") ? unit_reset(c) : ERROR; }

EXPORT fmi2Status fmi2GetReal(fmi2Component c, const fmi2ValueReference r[], size_t n, fmi2Real values[]) {
    return unit_expects(c, ANY, "fmi2GetReal") ? unit_get(c, r, n, values) : ERROR;
}
EXPORT fmi2Status fmi2SetReal(fmi2Component c, const fmi2ValueReference r[], size_t n, const fmi2Real values[]) {
    int phases = INSTANTIATED | INITIALIZING | RUNNING;
    return unit_expects(c, phases, "fmi2SetReal") ? unit_set(c, r, n, values) : ERROR;
}

/* All variables are real numbers. */
#define OTHER_TYPE(name, type)                                                                        \
    EXPORT fmi2Status name(fmi2Component c, const fmi2ValueReference r[], size_t n, type values[]) {  \
        (void)r, (void)values;                                                                        \
        return n ? unit_refuses(c, #name, "the unit has no variables of this type, only real ones") : OK; \
    }
OTHER_TYPE(fmi2GetInteger, fmi2Integer)
OTHER_TYPE(fmi2GetBoolean, fmi2Boolean)
OTHER_TYPE(fmi2GetString, fmi2String)
OTHER_TYPE(fmi2SetInteger, const fmi2Integer)
OTHER_TYPE(fmi2SetBoolean, const fmi2Boolean)
OTHER_TYPE(fmi2SetString, const fmi2String)

EXPORT fmi2Status fmi2GetFMUstate(fmi2Component c, fmi2FMUstate *state) {
    return unit_expects(c, ANY, "fmi2GetFMUstate") ? unit_keep(c, state) : ERROR;
}
EXPORT fmi2Status fmi2SetFMUstate(fmi2Component c, fmi2FMUstate state) {
    return unit_expects(c, ANY, "fmi2SetFMUstate") ? unit_restore(c, state) : ERROR;
}
EXPORT fmi2Status fmi2FreeFMUstate(fmi2Component c, fmi2FMUstate *state) {
    (void)c;
    if (state) {
        free(*state);
        *state = NULL;
    }
    return OK;
}
EXPORT fmi2Status fmi2SerializedFMUstateSize(fmi2Component c, fmi2FMUstate state, size_t *size) {
    (void)state;
    if (!unit_expects(c, ANY, "fmi2SerializedFMUstateSize")) return ERROR;
    *size = unit_state_size(c);
    return OK;
}
EXPORT fmi2Status fmi2SerializeFMUstate(fmi2Component c, fmi2FMUstate state, fmi2Byte bytes[], size_t size) {
    return unit_expects(c, ANY, "fmi2SerializeFMUstate") ? unit_write_state(c, state, bytes, size) : ERROR;
}
EXPORT fmi2Status fmi2DeSerializeFMUstate(fmi2Component c, const fmi2Byte bytes[], size_t size, fmi2FMUstate *state) {
    return unit_expects(c, ANY, "fmi2DeSerializeFMUstate") ? unit_read_state(c, bytes, size, state) : ERROR;
}

EXPORT fmi2Status fmi2DoStep(fmi2Component c, fmi2Real time, fmi2Real length, fmi2Boolean no_way_back) {
    (void)no_way_back;
    return unit_expects(c, RUNNING, "fmi2DoStep") ? unit_step(c, time, length) : ERROR;
}

/* Steps are done when fmi2DoStep returns: nothing is ever pending. */
EXPORT fmi2Status fmi2GetRealStatus(fmi2Component c, const fmi2StatusKind kind, fmi2Real *value) {
    if (!unit_expects(c, ANY, "fmi2GetRealStatus")) return ERROR;
    if (kind != fmi2LastSuccessfulTime) return unit_refuses(c, "fmi2GetRealStatus", "there is no such status");
    *value = unit_time(c);
    return OK;
}
EXPORT fmi2Status fmi2GetBooleanStatus(fmi2Component c, const fmi2StatusKind kind, fmi2Boolean *value) {
    if (kind != fmi2Terminated) return unit_refuses(c, "fmi2GetBooleanStatus", "there is no such status");
    *value = 0;
    return OK;
}

EXPORT fmi2Status fmi2GetDirectionalDerivative(fmi2Component c, const fmi2ValueReference u[], size_t m,
                                               const fmi2ValueReference k[], size_t n, const fmi2Real dk[],
                                               fmi2Real du[]) {
    int known = unit_expects(c, INITIALIZING | RUNNING, "fmi2GetDirectionalDerivative");
    return known ? unit_derivative(c, u, m, k, n, dk, du, 0) : ERROR;
}

/* ---- model exchange: there are no states, no events and no event indicators ---- */

static int exchanges(Unit *u, const char *function) {
    if (!unit_expects(u, INITIALIZING | RUNNING, function)) return 0;
    return unit_exchanges(u) || !unit_refuses(u, function, NO_EXCHANGE);
}
static int has_none(Unit *u, const char *function, size_t count) {
    if (!exchanges(u, function)) return ERROR;
    return count ? unit_refuses(u, function, "the unit has no states and no event indicators") : OK;
}

EXPORT fmi2Status fmi2EnterEventMode(fmi2Component c) { return exchanges(c, "fmi2EnterEventMode") ? OK : ERROR; }
EXPORT fmi2Status fmi2EnterContinuousTimeMode(fmi2Component c) {
    return exchanges(c, "fmi2EnterContinuousTimeMode") ? OK : ERROR;
}
EXPORT fmi2Status fmi2NewDiscreteStates(fmi2Component c, fmi2EventInfo *info) {
    if (!exchanges(c, "fmi2NewDiscreteStates")) return ERROR;
    memset(info, 0, sizeof *info);
    return OK;
}
EXPORT fmi2Status fmi2CompletedIntegratorStep(fmi2Component c, fmi2Boolean no_way_back, fmi2Boolean *event,
                                              fmi2Boolean *terminate) {
    (void)no_way_back;
    if (!exchanges(c, "fmi2CompletedIntegratorStep")) return ERROR;
    *event = *terminate = 0;
    return OK;
}
EXPORT fmi2Status fmi2SetTime(fmi2Component c, fmi2Real time) {
    if (!exchanges(c, "fmi2SetTime")) return ERROR;
    unit_set_time(c, time);
    return OK;
}
#define NONE(name, type) \
    EXPORT fmi2Status name(fmi2Component c, type x[], size_t n) { return (void)x, has_none(c, #name, n); }
NONE(fmi2SetContinuousStates, const fmi2Real)
NONE(fmi2GetDerivatives, fmi2Real)
NONE(fmi2GetEventIndicators, fmi2Real)
NONE(fmi2GetContinuousStates, fmi2Real)
NONE(fmi2GetNominalsOfContinuousStates, fmi2Real)

/* ---- what no unit offers ---- */

#define ABSENT(name, why, ...) \
    EXPORT fmi2Status name(fmi2Component c, ##__VA_ARGS__) { return unit_refuses(c, #name, why); }
static const char NOT_PENDING[] = "a step is done when fmi2DoStep returns, and none is pending";
ABSENT(fmi2CancelStep, NOT_PENDING)
ABSENT(fmi2GetStatus, NOT_PENDING, const fmi2StatusKind k, fmi2Status *s)
ABSENT(fmi2GetIntegerStatus, NOT_PENDING, const fmi2StatusKind k, fmi2Integer *s)
ABSENT(fmi2GetStringStatus, NOT_PENDING, const fmi2StatusKind k, fmi2String *s)
ABSENT(fmi2SetRealInputDerivatives, "inputs are held over a step", const fmi2ValueReference r[], size_t n,
       const fmi2Integer o[], const fmi2Real x[])
ABSENT(fmi2GetRealOutputDerivatives, "the unit offers no derivatives by time", const fmi2ValueReference r[], size_t n,
       const fmi2Integer o[], fmi2Real x[])
