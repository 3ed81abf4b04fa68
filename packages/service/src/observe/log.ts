import { pino } from 'pino';

export type Log = ReturnType<typeof openLog>;

/**
 * Structured logs on standard output, a JSON object a line. Headers and bodies are never logged, so neither is a secret;
 * the redaction is a second net under that rule.
 */
export function openLog(service: string, level: string) {
  return pino({
    level,
    base: { service },
    timestamp: pino.stdTimeFunctions.isoTime,
    redact: {
      paths: ['authorization', 'secret', 'token', '*.authorization', '*.secret', '*.token'],
      censor: '[redacted]',
    },
  });
}
