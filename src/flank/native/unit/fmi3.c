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

#define FMI(name) fmi3##name
#define REAL_TYPE "Float64"
#define DESERIALIZE fmi3DeserializeFMUState
#define OF_STATE(before, after) fmi3##before##FMUState##after
typedef fmi3Instance Instance;
typedef fmi3Status Status;
typedef fmi3Boolean Boolean;
typedef fmi3Float64 Real;
typedef fmi3String String;
typedef fmi3FMUState State;
typedef fmi3Byte Byte;
typedef fmi3ValueReference Reference;
#include "alike.h"

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
    return made(u, 0, logging, __func__);
}

EXPORT fmi3Instance fmi3InstantiateModelExchange(fmi3String name, fmi3String token, fmi3String resources,
                                                 fmi3Boolean visible, fmi3Boolean logging,
                                                 fmi3InstanceEnvironment environment, fmi3LogMessageCallback log) {
    Host host = {log ? write_log : NULL, environment, (void (*)(void))log, name ? name : ""};
    Unit *u = unit_new(resources ? resources : "", resources ? strlen(resources) : 0, token, host);
    (void)visible;
    return made(u, 1, logging, __func__);
}

EXPORT fmi3Instance fmi3InstantiateScheduledExecution(
    fmi3String name, fmi3String token, fmi3String resources, fmi3Boolean visible, fmi3Boolean logging,
    fmi3InstanceEnvironment environment, fmi3LogMessageCallback log, fmi3ClockUpdateCallback clock,
    fmi3LockPreemptionCallback lock, fmi3UnlockPreemptionCallback unlock) {
    (void)name, (void)token, (void)resources, (void)visible, (void)logging, (void)clock, (void)lock, (void)unlock;
    return absent(environment, log,
                  "This unit is for co-simulation; it cannot be instantiated for scheduled execution.");
}

EXPORT fmi3Status fmi3EnterInitializationMode(fmi3Instance c, fmi3Boolean has_tolerance, fmi3Float64 tolerance,
                                              fmi3Float64 start, fmi3Boolean has_stop, fmi3Float64 stop) {
    (void)has_tolerance, (void)tolerance, (void)has_stop, (void)stop;
    if (!unit_expects(c, INSTANTIATED, __func__)) return ERROR;
    return unit_setup(c, start) ? ERROR : unit_enter(c);
}

EXPORT fmi3Status fmi3GetFloat64(fmi3Instance c, const fmi3ValueReference r[], size_t n, fmi3Float64 values[],
                                 size_t count) {
    if (!unit_expects(c, ANY, __func__)) return ERROR;
    return n == count ? unit_get(c, r, n, values) : unit_refuses(c, __func__, "variables are single numbers");
}
EXPORT fmi3Status fmi3SetFloat64(fmi3Instance c, const fmi3ValueReference r[], size_t n, const fmi3Float64 values[],
                                 size_t count) {
    if (!unit_expects(c, INSTANTIATED | INITIALIZING | RUNNING, __func__)) return ERROR;
    return n == count ? unit_set(c, r, n, values) : unit_refuses(c, __func__, "variables are single numbers");
}

#define BOTH(type)                                       \
    OTHER_TYPE(Get##type, fmi3##type values[], size_t m) \
    OTHER_TYPE(Set##type, const fmi3##type values[], size_t m)
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
OTHER_TYPE(GetBinary, size_t sizes[], fmi3Binary values[], size_t m)
OTHER_TYPE(SetBinary, const size_t sizes[], const fmi3Binary values[], size_t m)
OTHER_TYPE(GetClock, fmi3Clock values[])
OTHER_TYPE(SetClock, const fmi3Clock values[])
OTHER_TYPE(GetIntervalDecimal, fmi3Float64 i[], fmi3IntervalQualifier q[])
OTHER_TYPE(GetIntervalFraction, fmi3UInt64 i[], fmi3UInt64 j[], fmi3IntervalQualifier q[])
OTHER_TYPE(GetShiftDecimal, fmi3Float64 i[])
OTHER_TYPE(GetShiftFraction, fmi3UInt64 i[], fmi3UInt64 j[])
OTHER_TYPE(SetIntervalDecimal, const fmi3Float64 i[])
OTHER_TYPE(SetIntervalFraction, const fmi3UInt64 i[], const fmi3UInt64 j[])
OTHER_TYPE(SetShiftDecimal, const fmi3Float64 i[])
OTHER_TYPE(SetShiftFraction, const fmi3UInt64 i[], const fmi3UInt64 j[])

EXPORT fmi3Status fmi3DoStep(fmi3Instance c, fmi3Float64 time, fmi3Float64 length, fmi3Boolean no_way_back,
                             fmi3Boolean *event, fmi3Boolean *terminate, fmi3Boolean *early, fmi3Float64 *last) {
    int status;
    (void)no_way_back;
    if (!unit_expects(c, RUNNING, __func__)) return ERROR;
    status = unit_step(c, time, length);
    *event = *terminate = *early = false;
    *last = unit_time(c);
    return status;
}

EXPORT fmi3Status fmi3GetDirectionalDerivative(fmi3Instance c, const fmi3ValueReference u[], size_t m,
                                               const fmi3ValueReference k[], size_t n, const fmi3Float64 seed[],
                                               size_t seeds, fmi3Float64 sums[], size_t count) {
    if (!unit_expects(c, INITIALIZING | RUNNING, __func__)) return ERROR;
    if (seeds != n || count != m) return unit_refuses(c, __func__, "variables are single numbers");
    return unit_derivative(c, u, m, k, n, seed, sums, 0);
}
EXPORT fmi3Status fmi3GetAdjointDerivative(fmi3Instance c, const fmi3ValueReference u[], size_t m,
                                           const fmi3ValueReference k[], size_t n, const fmi3Float64 seed[],
                                           size_t seeds, fmi3Float64 sums[], size_t count) {
    if (!unit_expects(c, INITIALIZING | RUNNING, __func__)) return ERROR;
    if (seeds != m || count != n) return unit_refuses(c, __func__, "variables are single numbers");
    return unit_derivative(c, u, m, k, n, seed, sums, 1);
}

/* ---- model exchange: there are no states and no events ---- */

EXPORT fmi3Status fmi3EvaluateDiscreteStates(fmi3Instance c) {
    return exchanges(c, __func__) ? OK : ERROR;
}
EXPORT fmi3Status fmi3UpdateDiscreteStates(fmi3Instance c, fmi3Boolean *needed, fmi3Boolean *terminate,
                                           fmi3Boolean *nominals, fmi3Boolean *values, fmi3Boolean *defined,
                                           fmi3Float64 *next) {
    if (!exchanges(c, __func__)) return ERROR;
    *needed = *terminate = *nominals = *values = *defined = false;
    *next = 0;
    return OK;
}
EXPORT fmi3Status fmi3GetNumberOfEventIndicators(fmi3Instance c, size_t *n) {
    *n = 0;
    return has_none(c, __func__, 0);
}
EXPORT fmi3Status fmi3GetNumberOfContinuousStates(fmi3Instance c, size_t *n) {
    *n = 0;
    return has_none(c, __func__, 0);
}
NONE(GetContinuousStateDerivatives, Real)

/* ---- what no unit offers ---- */

static const char NO_STRUCTURE[] = "the unit has no structural parameters";
static const char NO_DEPENDENCIES[] = "dependencies of variables are those of modelDescription.xml";
ABSENT(EnterStepMode, "the unit has no event mode in co-simulation")
ABSENT(EnterConfigurationMode, NO_STRUCTURE)
ABSENT(ExitConfigurationMode, NO_STRUCTURE)
ABSENT(GetNumberOfVariableDependencies, NO_DEPENDENCIES, fmi3ValueReference r, size_t *n)
ABSENT(GetVariableDependencies, NO_DEPENDENCIES, fmi3ValueReference r, size_t i[], fmi3ValueReference k[],
       size_t j[], fmi3DependencyKind d[], size_t n)
ABSENT(GetOutputDerivatives, "the unit offers no derivatives by time", const fmi3ValueReference r[], size_t n,
       const fmi3Int32 o[], fmi3Float64 x[], size_t m)
ABSENT(ActivateModelPartition, "the unit is for co-simulation, not for scheduled execution", fmi3ValueReference r,
       fmi3Float64 t)
