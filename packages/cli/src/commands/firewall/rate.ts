import type { FirewallRule } from '@meshwork/contract';
import { InvalidArgumentError } from 'commander';

type Rate = NonNullable<FirewallRule['rate']>;

/** `10/minute`, or `10/minute:20` with how many may come at once. */
export function rate(text: string): Rate {
  const [, count, per, burst] = /^(\d{1,6})\/(second|minute|hour)(?::(\d{1,5}))?$/.exec(text) ?? [];
  if (count === undefined) throw new InvalidArgumentError('Give it as 10/minute, or 10/minute:20 for 20 at once.');
  const rate = { count: Number(count), per: per as Rate['per'] };
  return burst === undefined ? rate : { ...rate, burst: Number(burst) };
}

export function rateText({ count, per, burst }: Rate): string {
  return `${count}/${per}${burst === undefined ? '' : `:${burst}`}`;
}
