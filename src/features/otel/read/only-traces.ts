/** What to set where an exporter sends another signal. */
export const onlyTraces = (signal: 'metrics' | 'logs'): string =>
  `Only traces are accepted, this is ${signal}: set OTEL_${signal.toUpperCase()}_EXPORTER=none`;
