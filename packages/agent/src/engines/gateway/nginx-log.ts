import { TextLines } from '../../host/text-lines.ts';

/** Ours: what nginx last complained of, for when it does not take a configuration, and for the diagnosis. */
const KEPT_COMPLAINTS = 20;
const SHOWN_CHARACTERS = 300;

/** `2026/11/18 10:00:00 [emerg] 71#71: *5 bind() to 0.0.0.0:80 failed (98: Address already in use)` */
const LINE = /^(?:nginx: |\d{4}\/\d\d\/\d\d \d\d:\d\d:\d\d )\[(\w+)\] (?:\d+#\d+: )?(?:\*\d+ )?(.*)$/;
const TAKEN = /bind\(\) to (\S+) failed \(98: /;
const KILLED = /^worker process \d+ exited on signal /;
/** What keeps nginx from using a configuration. */
const GRAVE = 'emerg';

/** Reads what nginx says. */
export class NginxLog {
  readonly #complaints: string[] = [];
  readonly #lines = new TextLines();
  readonly #worker_killed: () => void;
  #grave: string | undefined;
  #taken: string | undefined;

  constructor(worker_killed: () => void = () => undefined) {
    this.#worker_killed = worker_killed;
  }

  get complaints(): readonly string[] {
    return this.#complaints;
  }

  /** Why it does not use what it was given since `begin`. Undefined: no reason is known. */
  get grave(): string | undefined {
    return this.#grave;
  }

  /** An address and port that another program has. Undefined: none. */
  get taken(): string | undefined {
    return this.#taken;
  }

  /** As it comes, in pieces of any length. */
  take(text: string): void {
    for (const line of this.#lines.take(text)) this.#line(line);
  }

  /** Something was changed: what follows is about that. */
  begin(): void {
    this.#grave = undefined;
    this.#taken = undefined;
  }

  #line(line: string): void {
    const { level, said } = complaintIn(line) ?? {};
    if (level === undefined || said === undefined) return;
    if (level === GRAVE) this.#grave ??= said;
    this.#taken ??= TAKEN.exec(said)?.[1];
    if (KILLED.test(said)) this.#worker_killed();
    this.#complaints.push(said);
    if (this.#complaints.length > KEPT_COMPLAINTS) this.#complaints.shift();
  }
}

/** Without time and process. Undefined: it is none. */
export function complaintIn(line: string): { readonly level: string; readonly said: string } | undefined {
  const [, level, said] = LINE.exec(line) ?? [];
  return level === undefined || said === undefined ? undefined : { level, said: said.slice(0, SHOWN_CHARACTERS) };
}
