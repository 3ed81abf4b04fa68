/** The text that Prometheus reads. A library for it would take a tenth of the memory that an agent may have. */

export type Labels = Readonly<Record<string, string>>;
export type Sample = readonly [labels: Labels, value: number];

/** What was counted elsewhere by how long it took: how often between each bound and the one before, and behind the last. No sum is known. */
export function buckets(
  name: string,
  help: string,
  bounds: readonly number[],
  series: Iterable<readonly [labels: Labels, counts: readonly number[]]>,
): string {
  const lines = Array.from(series, ([labels, counts]) => {
    let below = 0;
    const each = [...bounds, '+Inf'].map((bound, place) => {
      below += counts[place] ?? 0;
      return line(`${name}_bucket`, { ...labels, le: `${bound}` }, below);
    });
    return [...each, line(`${name}_count`, labels, below)].join('\n');
  });
  return [`# HELP ${name} ${help}`, `# TYPE ${name} histogram`, ...lines, ''].join('\n');
}

/** One family of series, with its samples as they are now. None: the family has no value at this moment. */
export function family(name: string, kind: 'counter' | 'gauge', help: string, samples: Iterable<Sample>): string {
  const lines = Array.from(samples, ([labels, value]) => line(name, labels, value));
  return [`# HELP ${name} ${help}`, `# TYPE ${name} ${kind}`, ...lines, ''].join('\n');
}

/** Counts how often something stayed below each bound. */
export class Histogram {
  readonly #name: string;
  readonly #help: string;
  readonly #bounds: readonly number[];
  readonly #counts: number[];
  #sum = 0;
  #count = 0;

  constructor(name: string, help: string, bounds: readonly number[]) {
    this.#name = name;
    this.#help = help;
    this.#bounds = bounds;
    this.#counts = bounds.map(() => 0);
  }

  observe(value: number): void {
    this.#sum += value;
    this.#count += 1;
    this.#bounds.forEach((bound, index) => {
      if (value <= bound) this.#counts[index] = (this.#counts[index] ?? 0) + 1;
    });
  }

  text(): string {
    const name = this.#name;
    const buckets = this.#bounds.map((bound, index) =>
      line(`${name}_bucket`, { le: `${bound}` }, this.#counts[index] ?? 0),
    );
    return [
      `# HELP ${name} ${this.#help}`,
      `# TYPE ${name} histogram`,
      ...buckets,
      line(`${name}_bucket`, { le: '+Inf' }, this.#count),
      line(`${name}_sum`, {}, this.#sum),
      line(`${name}_count`, {}, this.#count),
      '',
    ].join('\n');
  }
}

function line(name: string, labels: Labels, value: number): string {
  const pairs = Object.entries(labels).map(([label, text]) => `${label}="${escaped(text)}"`);
  return `${name}${pairs.length === 0 ? '' : `{${pairs.join(',')}}`} ${value}`;
}

function escaped(text: string): string {
  return text.replaceAll('\\', '\\\\').replaceAll('"', '\\"').replaceAll('\n', '\\n');
}
