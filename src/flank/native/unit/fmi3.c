/* The functions of FMI 3, as fmi2.c has those of FMI 2. */
#include "unit.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#ifndef fmi3Functions_h
typedef void *fmi3Instance, *fmi3InstanceEnvironment, *fmi3FMUState;
typedef uint32_t fmi3ValueReference;
typedef float fmi3Float32;
typedef double fmi3Float64;
typedef int8_t fmi3Int8;
typedef uint8_t fmi3UInt8, fmi3Byte;
typedef int16_t fmi3Int16;
typedef uint16_t fmi3UInt16;
typedef int32_t fmi3Int32;
typedef uint32_t fmi3UInt32;
typedef int64_t fmi3Int64;
typedef uint64_t fmi3UInt64;
typedef bool fmi3Boolean, fmi3Clock;
typedef const char *fmi3String;
typedef const fmi3Byte *fmi3Binary;
typedef int fmi3Status, fmi3DependencyKind, fmi3IntervalQualifier;
typedef void (*fmi3LogMessageCallback)(fmi3InstanceEnvironment, fmi3Status, fmi3String, fmi3String);
typedef void (*fmi3ClockUpdateCallback)(fmi3InstanceEnvironment);
typedef void (*fmi3IntermediateUpdateCallback)(fmi3InstanceEnvironment, fmi3Float64, fmi3Boolean, fmi3Boolean,
                                               fmi3Boolean, fmi3Boolean, fmi3Boolean *, fmi3Float64 *);
typedef void (*fmi3LockPreemptionCallback)(void);
typedef void (*fmi3UnlockPreemptionCallback)(void);
#endif

static const char NO_EXCHANGE[] = "the unit is for co-simulation, not for model exchange";

static void write_log(const Unit *u, int status, const char *category, const char *text) {
    const Host *host = unit_host(u);
    ((fmi3LogMessageCallback)host->function)(host->environment, status, category, text);
}

EXPORT const char *fmi3GetVersion(void) { return "3.0"; }

static fmi3Instance absent(fmi3InstanceEnvironment environment, fmi3LogMessageCallback log, const char *way) {
    if (log) log(environment, ERROR, "logStatusError", way);
    return NULL;
}

EXPORT fmi3Instance fmi3InstantiateCoSimulation(
    fmi3String name, fmi3String token, fmi3String resources, fmi3Boolean visible, fmi3Boolean logging,
    fmi3Boolean event_mode, fmi3Boolean early_return, const fmi3ValueReference intermediate[], size_t n,
    fmi3InstanceEnvironment environment, fmi3LogMessageCallback log, fmi3IntermediateUpdateCallback update) {
    Host host = {log ? write_log : NULL, environment, (void (*)(void))log, name ? name : ""};
    Unit *u;
    (void)visible, (void)early_return, (void)intermediate, (void)update;
    if (event_mode) return absent(environment, log, "This unit has no event mode; do without it.");
    if (n) return absent(environment, log, "This unit has no intermediate variables; ask for none.");
    u = unit_new(resources ? resources : "", resources ? strlen(resources) : 0, token, host);
    if (u) unit_set_logging(u, logging);
    return u;
}

EXPORT fmi3Instance fmi3InstantiateModelExchange(fmi3String name, fmi3String token, fmi3String resources,
                                                 fmi3Boolean visible, fmi3Boolean logging,
                                                 fmi3InstanceEnvironment environment, fmi3LogMessageCallback log) {
    Host host = {log ? write_log : NULL, environment, (void (*)(void))log, name ? name : ""};
    Unit *u = unit_new(resources ? resources : "", resources ? strlen(resources) : 0, token, host);
    (void)visible;
    if (u && !unit_exchanges(u)) {
        unit_refuses(u, "fmi3InstantiateModelExchange", NO_EXCHANGE);
        unit_free(u);
        return NULL;
    }
    if (u) unit_set_logging(u, logging);
    return u;
}

EXPORT fmi3Instance fmi3InstantiateScheduledExecution(
    fmi3String name, fmi3String token, fmi3String resources, fmi3Boolean visible, fmi3Boolean logging,
    fmi3InstanceEnvironment environment, fmi3LogMessageCallback log, fmi3ClockUpdateCallback clock,
    fmi3LockPreemptionCallback lock, fmi3UnlockPreemptionCallback unlock) {
    (void)name, (void)token, (void)resources, (void)visible, (void)logging, (void)clock, (void)lock, (void)unlock;
    return absent(environment, log,
                  "This unit is for co-simulation; it cannot be instantiated for scheduled execution.");
}

EXPORT void fmi3FreeInstance(fmi3Instance c) { unit_free(c); }

EXPORT fmi3Status fmi3SetDebugLogging(fmi3Instance c, fmi3Boolean on, size_t count, const fmi3String categories[]) {
    bool steps = count == 0;
    if (!unit_expects(c, ANY, "fmi3SetDebugLogging")) return ERROR;
    for (size_t k = 0; k < count; k++) steps |= !strcmp(categories[k], "logSteps");
    if (steps) unit_set_logging(c, on);
    return OK;
}

EXPORT fmi3Status fmi3EnterInitializationMode(fmi3Instance c, fmi3Boolean has_tolerance, fmi3Float64 tolerance,
                                              fmi3Float64 start, fmi3Boolean has_stop, fmi3Float64 stop) {
    (void)has_tolerance, (void)tolerance, (void)has_stop, (void)stop;
    if (!unit_expects(c, INSTANTIATED, "fmi3EnterInitializationMode")) return ERROR;
    return unit_setup(c, start) ? ERROR : unit_enter(c);
}
EXPORT fmi3Status fmi3ExitInitializationMode(fmi3Instance c) {
    return unit_expects(c, INITIALIZING, "fmi3ExitInitializationMode") ? unit_start(c) : ERROR;
}
EXPORT fmi3Status fmi3Terminate(fmi3Instance c) {
    return unit_expects(c, RUNNING, "fmi3Terminate") ? unit_terminate(c) : ERROR;
}
EXPORT fmi3Status fmi3Reset(fmi3Instance c) { return unit_expects(c, ANY, "fmi3Reset") ? unit_reset(c) : ERROR; }

EXPORT fmi3Status fmi3GetFloat64(fmi3Instance c, const fmi3ValueReference r[], size_t n, fmi3Float64 values[],
                                 size_t count) {
    if (!unit_expects(c, ANY, "fmi3GetFloat64")) return ERROR;
    return n == count ? unit_get(c, r, n, values) : unit_refuses(c, "fmi3GetFloat64", "variables are single numbers");
}
EXPORT fmi3Status fmi3SetFloat64(fmi3Instance c, const fmi3ValueReference r[], size_t n, const fmi3Float64 values[],
                                 size_t count) {
    if (!unit_expects(c, INSTANTIATED | INITIALIZING | RUNNING, "fmi3SetFloat64")) return ERROR;
    return n == count ? unit_set(c, r, n, values) : unit_refuses(c, "fmi3SetFloat64", "variables are single numbers");
}

/* All variables are of the type Float64. */
#define OTHER_TYPE(name, ...)                                                                           \
    EXPORT fmi3Status name(fmi3Instance c, const fmi3ValueReference r[], size_t n, ##__VA_ARGS__) {     \
        (void)r;                                                                                        \
        return n ? unit_refuses(c, #name, "the unit has no variables of this type, only Float64") : OK; \
    }
#define BOTH(type)                                           \
    OTHER_TYPE(fmi3Get##type, fmi3##type values[], size_t m) \
    OTHER_TYPE(fmi3Set##type, const fmi3##type values[], size_t m)
BOTH(Float32)
BOTH(Int8)
BOTH(UInt8)
BOTH(Int16)
BOTH(UInt16)
BOTH(Int32)
BOTH(UInt32)
BOTH(Int64)
BOTH(UInt64)
BOTH(Boolean)
BOTH(String)
OTHER_TYPE(fmi3GetBinary, size_t sizes[], fmi3Binary values[], size_t m)
OTHER_TYPE(fmi3SetBinary, const size_t sizes[], const fmi3Binary values[], size_t m)
OTHER_TYPE(fmi3GetClock, fmi3Clock values[])
OTHER_TYPE(fmi3SetClock, const fmi3Clock values[])
OTHER_TYPE(fmi3GetIntervalDecimal, fmi3Float64 i[], fmi3IntervalQualifier q[])
OTHER_TYPE(fmi3GetIntervalFraction, fmi3UInt64 i[], fmi3UInt64 j[], fmi3IntervalQualifier q[])
OTHER_TYPE(fmi3GetShiftDecimal, fmi3Float64 i[])
OTHER_TYPE(fmi3GetShiftFraction, fmi3UInt64 i[], fmi3UInt64 j[])
OTHER_TYPE(fmi3SetIntervalDecimal, const fmi3Float64 i[])
OTHER_TYPE(fmi3SetIntervalFraction, const fmi3UInt64 i[], const fmi3UInt64 j[])
OTHER_TYPE(fmi3SetShiftDecimal, const fmi3Float64 i[])
OTHER_TYPE(fmi3SetShiftFraction, const fmi3UInt64 i[], const fmi3UInt64 j[])

EXPORT fmi3Status fmi3GetFMUState(fmi3Instance c, fmi3FMUState *state) {
    return unit_expects(c, ANY, "fmi3GetFMUState") ? unit_keep(c, state) : ERROR;
}
EXPORT fmi3Status fmi3SetFMUState(fmi3Instance c, fmi3FMUState state) {
    return unit_expects(c, ANY, "fmi3SetFMUState") ? unit_restore(c, state) : ERROR;
}
EXPORT fmi3Status fmi3FreeFMUState(fmi3Instance c, fmi3FMUState *state) {
    (void)c;
    if (state) {
        free(*state);
        *state = NULL;
    }
    return OK;
}
EXPORT fmi3Status fmi3SerializedFMUStateSize(fmi3Instance c, fmi3FMUState state, size_t *size) {
    (void)state;
    if (!unit_expects(c, ANY, "fmi3SerializedFMUStateSize")) return ERROR;
    *size = unit_state_size(c);
    return OK;
}
EXPORT fmi3Status fmi3SerializeFMUState(fmi3Instance c, fmi3FMUState state, fmi3Byte bytes[], size_t size) {
    return unit_expects(c, ANY, "fmi3SerializeFMUState") ? unit_write_state(c, state, (char *)bytes, size) : ERROR;
}
EXPORT fmi3Status fmi3DeserializeFMUState(fmi3Instance c, const fmi3Byte bytes[], size_t size, fmi3FMUState *state) {
    int known = unit_expects(c, ANY, "fmi3DeserializeFMUState");
    return known ? unit_read_state(c, (const char *)bytes, size, state) : ERROR;
}

EXPORT fmi3Status fmi3DoStep(fmi3Instance c, fmi3Float64 time, fmi3Float64 length, fmi3Boolean no_way_back,
                             fmi3Boolean *event, fmi3Boolean *terminate, fmi3Boolean *early, fmi3Float64 *last) {
    int status;
    (void)no_way_back;
    if (!unit_expects(c, RUNNING, "fmi3DoStep")) return ERROR;
    status = unit_step(c, time, length);
    *event = *terminate = *early = false;
    *last = unit_time(c);
    return status;
}

EXPORT fmi3Status fmi3GetDirectionalDerivative(fmi3Instance c, const fmi3ValueReference u[], size_t m,
                                               const fmi3ValueReference k[], size_t n, const fmi3Float64 seed[],
                                               size_t seeds, fmi3Float64 sums[], size_t count) {
    if (!unit_expects(c, INITIALIZING | RUNNING, "fmi3GetDirectionalDerivative")) return ERROR;
    if (seeds != n || count != m) return unit_refuses(c, "fmi3GetDirectionalDerivative", "variables are single numbers");
    return unit_derivative(c, u, m, k, n, seed, sums, 0);
}
EXPORT fmi3Status fmi3GetAdjointDerivative(fmi3Instance c, const fmi3ValueReference u[], size_t m,
                                           const fmi3ValueReference k[], size_t n, const fmi3Float64 seed[],
                                           size_t seeds, fmi3Float64 sums[], size_t count) {
    if (!unit_expects(c, INITIALIZING | RUNNING, "fmi3GetAdjointDerivative")) return ERROR;
    if (seeds != m || count != n) return unit_refuses(c, "fmi3GetAdjointDerivative", "variables are single numbers");
    return unit_derivative(c, u, m, k, n, seed, sums, 1);
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

EXPORT fmi3Status fmi3EnterEventMode(fmi3Instance c) { return exchanges(c, "fmi3EnterEventMode") ? OK : ERROR; }
EXPORT fmi3Status fmi3EnterContinuousTimeMode(fmi3Instance c) {
    return exchanges(c, "fmi3EnterContinuousTimeMode") ? OK : ERROR;
}
EXPORT fmi3Status fmi3EvaluateDiscreteStates(fmi3Instance c) {
    return exchanges(c, "fmi3EvaluateDiscreteStates") ? OK : ERROR;
}
EXPORT fmi3Status fmi3UpdateDiscreteStates(fmi3Instance c, fmi3Boolean *needed, fmi3Boolean *terminate,
                                           fmi3Boolean *nominals, fmi3Boolean *values, fmi3Boolean *defined,
                                           fmi3Float64 *next) {
    if (!exchanges(c, "fmi3UpdateDiscreteStates")) return ERROR;
    *needed = *terminate = *nominals = *values = *defined = false;
    *next = 0;
    return OK;
}
EXPORT fmi3Status fmi3CompletedIntegratorStep(fmi3Instance c, fmi3Boolean no_way_back, fmi3Boolean *event,
                                              fmi3Boolean *terminate) {
    (void)no_way_back;
    if (!exchanges(c, "fmi3CompletedIntegratorStep")) return ERROR;
    *event = *terminate = false;
    return OK;
}
EXPORT fmi3Status fmi3SetTime(fmi3Instance c, fmi3Float64 time) {
    if (!exchanges(c, "fmi3SetTime")) return ERROR;
    unit_set_time(c, time);
    return OK;
}
EXPORT fmi3Status fmi3GetNumberOfEventIndicators(fmi3Instance c, size_t *n) {
    *n = 0;
    return has_none(c, "fmi3GetNumberOfEventIndicators", 0);
}
EXPORT fmi3Status fmi3GetNumberOfContinuousStates(fmi3Instance c, size_t *n) {
    *n = 0;
    return has_none(c, "fmi3GetNumberOfContinuousStates", 0);
}
#define NONE(name, type) \
    EXPORT fmi3Status name(fmi3Instance c, type x[], size_t n) { return (void)x, has_none(c, #name, n); }
NONE(fmi3SetContinuousStates, const fmi3Float64)
NONE(fmi3GetContinuousStateDerivatives, fmi3Float64)
NONE(fmi3GetEventIndicators, fmi3Float64)
NONE(fmi3GetContinuousStates, fmi3Float64)
NONE(fmi3GetNominalsOfContinuousStates, fmi3Float64)

/* ---- what no unit offers ---- */

#define ABSENT(name, why, ...) \
    EXPORT fmi3Status name(fmi3Instance c, ##__VA_ARGS__) { return unit_refuses(c, #name, why); }
static const char NO_STRUCTURE[] = "the unit has no structural parameters";
static const char NO_DEPENDENCIES[] = "dependencies of variables are those of modelDescription.xml";
ABSENT(fmi3EnterStepMode, "the unit has no event mode in co-simulation")
ABSENT(fmi3EnterConfigurationMode, NO_STRUCTURE)
ABSENT(fmi3ExitConfigurationMode, NO_STRUCTURE)
ABSENT(fmi3GetNumberOfVariableDependencies, NO_DEPENDENCIES, fmi3ValueReference r, size_t *n)
ABSENT(fmi3GetVariableDependencies, NO_DEPENDENCIES, fmi3ValueReference r, size_t i[], fmi3ValueReference k[],
       size_t j[], fmi3DependencyKind d[], size_t n)
ABSENT(fmi3GetOutputDerivatives, "the unit offers no derivatives by time", const fmi3ValueReference r[], size_t n,
       const fmi3Int32 o[], fmi3Float64 x[], size_t m)
ABSENT(fmi3ActivateModelPartition, "the unit is for co-simulation, not for scheduled execution", fmi3ValueReference r,
       fmi3Float64 t)
