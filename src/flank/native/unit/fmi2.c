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

#define FMI(name) fmi2##name
#define REAL_TYPE "Real"
#define DESERIALIZE fmi2DeSerializeFMUstate
#define OF_STATE(before, after) fmi2##before##FMUstate##after
typedef fmi2Component Instance;
typedef fmi2Status Status;
typedef fmi2Boolean Boolean;
typedef fmi2Real Real;
typedef fmi2String String;
typedef fmi2FMUstate State;
typedef fmi2Byte Byte;
typedef fmi2ValueReference Reference;
#include "alike.h"

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
    return made(u, type != fmi2CoSimulation, logging, __func__);
}

EXPORT fmi2Status fmi2SetupExperiment(fmi2Component c, fmi2Boolean has_tolerance, fmi2Real tolerance, fmi2Real start,
                                      fmi2Boolean has_stop, fmi2Real stop) {
    (void)has_tolerance, (void)tolerance, (void)has_stop, (void)stop;
    return unit_expects(c, INSTANTIATED, __func__) ? unit_setup(c, start) : ERROR;
}

EXPORT fmi2Status fmi2EnterInitializationMode(fmi2Component c) {
    return unit_expects(c, INSTANTIATED, __func__) ? unit_enter(c) : ERROR;
}

EXPORT fmi2Status fmi2GetReal(fmi2Component c, const fmi2ValueReference r[], size_t n, fmi2Real values[]) {
    return unit_expects(c, ANY, __func__) ? unit_get(c, r, n, values) : ERROR;
}
EXPORT fmi2Status fmi2SetReal(fmi2Component c, const fmi2ValueReference r[], size_t n, const fmi2Real values[]) {
    int phases = INSTANTIATED | INITIALIZING | RUNNING;
    return unit_expects(c, phases, __func__) ? unit_set(c, r, n, values) : ERROR;
}

OTHER_TYPE(GetInteger, fmi2Integer values[])
OTHER_TYPE(GetBoolean, fmi2Boolean values[])
OTHER_TYPE(GetString, fmi2String values[])
OTHER_TYPE(SetInteger, const fmi2Integer values[])
OTHER_TYPE(SetBoolean, const fmi2Boolean values[])
OTHER_TYPE(SetString, const fmi2String values[])

EXPORT fmi2Status fmi2DoStep(fmi2Component c, fmi2Real time, fmi2Real length, fmi2Boolean no_way_back) {
    (void)no_way_back;
    return unit_expects(c, RUNNING, __func__) ? unit_step(c, time, length) : ERROR;
}

/* Steps are done when fmi2DoStep returns: nothing is ever pending. */
EXPORT fmi2Status fmi2GetRealStatus(fmi2Component c, const fmi2StatusKind kind, fmi2Real *value) {
    if (!unit_expects(c, ANY, __func__)) return ERROR;
    if (kind != fmi2LastSuccessfulTime) return unit_refuses(c, __func__, "there is no such status");
    *value = unit_time(c);
    return OK;
}
EXPORT fmi2Status fmi2GetBooleanStatus(fmi2Component c, const fmi2StatusKind kind, fmi2Boolean *value) {
    if (kind != fmi2Terminated) return unit_refuses(c, __func__, "there is no such status");
    *value = 0;
    return OK;
}

EXPORT fmi2Status fmi2GetDirectionalDerivative(fmi2Component c, const fmi2ValueReference u[], size_t m,
                                               const fmi2ValueReference k[], size_t n, const fmi2Real dk[],
                                               fmi2Real du[]) {
    int known = unit_expects(c, INITIALIZING | RUNNING, __func__);
    return known ? unit_derivative(c, u, m, k, n, dk, du, 0) : ERROR;
}

/* ---- model exchange: there are no states and no events ---- */

EXPORT fmi2Status fmi2NewDiscreteStates(fmi2Component c, fmi2EventInfo *info) {
    if (!exchanges(c, __func__)) return ERROR;
    memset(info, 0, sizeof *info);
    return OK;
}
NONE(GetDerivatives, Real)

/* ---- what no unit offers ---- */

static const char NOT_PENDING[] = "a step is done when fmi2DoStep returns, and none is pending";
ABSENT(CancelStep, NOT_PENDING)
ABSENT(GetStatus, NOT_PENDING, const fmi2StatusKind k, fmi2Status *s)
ABSENT(GetIntegerStatus, NOT_PENDING, const fmi2StatusKind k, fmi2Integer *s)
ABSENT(GetStringStatus, NOT_PENDING, const fmi2StatusKind k, fmi2String *s)
ABSENT(SetRealInputDerivatives, "inputs are held over a step", const fmi2ValueReference r[], size_t n,
       const fmi2Integer o[], const fmi2Real x[])
ABSENT(GetRealOutputDerivatives, "the unit offers no derivatives by time", const fmi2ValueReference r[], size_t n,
       const fmi2Integer o[], fmi2Real x[])
