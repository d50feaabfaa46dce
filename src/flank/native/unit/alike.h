/* Functions that FMI 2 and 3 have alike, but for their names and types. fmi2.c and fmi3.c include it
 * once each and say before how names are made, FMI, OF_STATE and DESERIALIZE, and what types are. */

static const char NO_EXCHANGE[] = "the unit is for co-simulation, not for model exchange";

/* An instance that is used as it may be; NULL if it cannot be. */
static Unit *made(Unit *u, int exchange, int logging, const char *function) {
    if (u && exchange && !unit_exchanges(u)) {
        unit_refuses(u, function, NO_EXCHANGE);
        unit_free(u);
        return NULL;
    }
    if (u) unit_set_logging(u, logging);
    return u;
}

EXPORT void FMI(FreeInstance)(Instance c) { unit_free(c); }

EXPORT Status FMI(SetDebugLogging)(Instance c, Boolean on, size_t count, const String categories[]) {
    int steps = count == 0;
    if (!unit_expects(c, ANY, __func__)) return ERROR;
    for (size_t k = 0; k < count; k++) steps |= !strcmp(categories[k], "logSteps") || !strcmp(categories[k], "logAll");
    if (steps) unit_set_logging(c, on);
    return OK;
}

EXPORT Status FMI(ExitInitializationMode)(Instance c) {
    return unit_expects(c, INITIALIZING, __func__) ? unit_start(c) : ERROR;
}
EXPORT Status FMI(Terminate)(Instance c) { return unit_expects(c, RUNNING, __func__) ? unit_terminate(c) : ERROR; }
EXPORT Status FMI(Reset)(Instance c) { return unit_expects(c, ANY, __func__) ? unit_reset(c) : ERROR; }

/* ---- saved states ---- */

EXPORT Status OF_STATE(Get, )(Instance c, State *state) {
    return unit_expects(c, ANY, __func__) ? unit_keep(c, state) : ERROR;
}
EXPORT Status OF_STATE(Set, )(Instance c, State state) {
    return unit_expects(c, ANY, __func__) ? unit_restore(c, state) : ERROR;
}
EXPORT Status OF_STATE(Free, )(Instance c, State *state) {
    (void)c;
    if (state) {
        free(*state);
        *state = NULL;
    }
    return OK;
}
EXPORT Status OF_STATE(Serialized, Size)(Instance c, State state, size_t *size) {
    (void)state;
    if (!unit_expects(c, ANY, __func__)) return ERROR;
    *size = unit_state_size(c);
    return OK;
}
EXPORT Status OF_STATE(Serialize, )(Instance c, State state, Byte bytes[], size_t size) {
    return unit_expects(c, ANY, __func__) ? unit_write_state(c, state, (char *)bytes, size) : ERROR;
}

EXPORT Status DESERIALIZE(Instance c, const Byte bytes[], size_t size, State *state) {
    return unit_expects(c, ANY, __func__) ? unit_read_state(c, (const char *)bytes, size, state) : ERROR;
}

/* ---- variables of other types than REAL_TYPE: there are none ---- */

#define OTHER_TYPE(name, ...)                                                                              \
    EXPORT Status FMI(name)(Instance c, const Reference r[], size_t n, __VA_ARGS__) {                      \
        (void)r;                                                                                           \
        return n ? unit_refuses(c, __func__, "the unit has no variables of this type, only " REAL_TYPE) : OK; \
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

EXPORT Status FMI(EnterEventMode)(Instance c) { return exchanges(c, __func__) ? OK : ERROR; }
EXPORT Status FMI(EnterContinuousTimeMode)(Instance c) { return exchanges(c, __func__) ? OK : ERROR; }
EXPORT Status FMI(CompletedIntegratorStep)(Instance c, Boolean no_way_back, Boolean *event, Boolean *terminate) {
    (void)no_way_back;
    if (!exchanges(c, __func__)) return ERROR;
    *event = *terminate = 0;
    return OK;
}
EXPORT Status FMI(SetTime)(Instance c, Real time) {
    if (!exchanges(c, __func__)) return ERROR;
    unit_set_time(c, time);
    return OK;
}

#define NONE(name, type) \
    EXPORT Status FMI(name)(Instance c, type x[], size_t n) { return (void)x, has_none(c, __func__, n); }
NONE(SetContinuousStates, const Real)
NONE(GetContinuousStates, Real)
NONE(GetNominalsOfContinuousStates, Real)
NONE(GetEventIndicators, Real)

/* ---- what no unit offers ---- */

#define ABSENT(name, why, ...) \
    EXPORT Status FMI(name)(Instance c, ##__VA_ARGS__) { return unit_refuses(c, __func__, why); }
