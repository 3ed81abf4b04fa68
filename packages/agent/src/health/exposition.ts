/** The text that Prometheus reads. A library for it would take a tenth of the memory that an agent may have. */

export type Labels = Readonly<Record<string, string>>;
export type Sample = readonly [labels: Labels, value: number];

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
