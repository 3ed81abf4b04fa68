import type { AgentConfig, LogLevel } from '../config.ts';

type Facts = Readonly<Record<string, unknown>>;

/** What an agent says about what it does. Never given a secret: what is logged is chosen field by field. */
export interface AgentLog {
  error(message: string, facts?: Facts): void;
  warn(message: string, facts?: Facts): void;
  info(message: string, facts?: Facts): void;
  debug(message: string, facts?: Facts): void;
}

const RANK: Readonly<Record<LogLevel, number>> = { silent: 0, error: 1, warn: 2, info: 3, debug: 4 };

/**
 * A line each, on whatever it is given: JSON in the form of the coordinator's logs, or words. A library for this would
 * take more memory than the rest of the conversation.
 */
export function openLog(
  { log_level, log_format }: Pick<AgentConfig, 'log_level' | 'log_format'>,
  out: { write(text: string): unknown },
): AgentLog {
  const line = log_format === 'json' ? jsonLine : textLine;
  const at =
    (level: Exclude<LogLevel, 'silent'>) =>
    (message: string, facts: Facts = {}) => {
      if (RANK[level] <= RANK[log_level]) out.write(line(level, message, facts));
    };
  return { error: at('error'), warn: at('warn'), info: at('info'), debug: at('debug') };
}

/** The numbers that pino gives to levels, so that one filter fits the logs of coordinator and agent. */
const NUMBER: Readonly<Record<LogLevel, number>> = { silent: 0, error: 50, warn: 40, info: 30, debug: 20 };

function jsonLine(level: LogLevel, msg: string, facts: Facts): string {
  return `${JSON.stringify({ level: NUMBER[level], time: new Date().toISOString(), service: 'agent', ...facts, msg })}\n`;
}

function textLine(level: LogLevel, message: string, facts: Facts): string {
  const details = Object.entries(facts).map(([name, value]) => ` ${name}=${wordOf(value)}`);
  // A line break in what others sent must not become a line of ours.
  return `${level.padEnd(5)} ${`${message}${details.join('')}`.replaceAll(/\p{Cc}/gu, ' ')}\n`;
}

function wordOf(value: unknown): string {
  return typeof value === 'string' && /^[\w.:/-]+$/.test(value) ? value : JSON.stringify(value);
}
