/**
 * What a command can say better than the operation table does. Everything here may be absent: then the table decides.
 */
import type { IdPrefix } from '@meshwork/contract';
import type { Argument, Command, Option } from 'commander';
import type { Output } from '../output.ts';
import type { Session } from '../session.ts';
import type { Source } from '../source-problems.ts';

/** Better words for one parameter, by its name in the API. */
export interface ParameterWords {
  /** Name of the flag, without dashes. */
  readonly flag?: string;
  /** The flag that says null, false or an empty list, such as `auto`. Absent: `no-` and the flag, and only for null. */
  readonly off?: string;
  readonly off_help?: string;
  readonly help?: string;
  /** What stands for the value in the help. */
  readonly value?: string;
  readonly read?: (text: string) => unknown;
  /** The same for a list, which is given one by one. */
  readonly read_each?: (text: string) => unknown;
  /** The members of this object have flags of their own, although there are objects among them. */
  readonly spread?: true;
  /** Used when the flag is not given. */
  readonly default?: unknown;
  /** What it is when the rest of the object around it is given without it, made of those parts by their names. */
  otherwise?(parts: Readonly<Record<string, unknown>>): unknown;
  /** The command needs it, although the operation does not. */
  readonly needed?: true;
  /** The parameter is known by this id only. It is checked before a request is sent. */
  readonly id_of?: IdPrefix;
  /** Makes what the API takes of what people write, such as an id of a name. */
  readonly find?: (client: AnyClient, text: string) => Promise<string>;
  /** The noun whose names complete it. */
  readonly completes?: string;
}

/** A request as it goes to the client. */
export interface DerivedRequest {
  params: Record<string, string>;
  query: Record<string, unknown>;
  /** Undefined: the operation takes none. */
  body: unknown;
}

/** The client of either service, without the types that tie a request to its answer: ids come from the table here. */
export interface AnyClient {
  call(id: string, request?: object): Promise<{ readonly body: unknown; readonly etag: string | null }>;
  pages(id: string, request?: object): AsyncGenerator<unknown>;
}

export interface Running<Answer = unknown> {
  readonly client: AnyClient;
  readonly out: Output;
  /** Only where the operation is the coordinator's. */
  readonly session: Session;
  readonly request: DerivedRequest;
  /** What the path was filled with, as people wrote it. */
  readonly given: string;
  /** The text that the operation takes, from a file or standard input. Empty where it takes none. */
  readonly source: Source;
  /** What was given for the arguments that belong to the command alone. */
  readonly words: readonly unknown[];
  /** What the flags say that belong to the command alone. */
  readonly options: Readonly<Record<string, unknown>>;
  send(more?: { readonly if_match?: string | undefined }): Promise<Answer>;
  /** How the command prints the answer by itself. */
  show(answer: Answer): Promise<void>;
}

export interface Confirmation {
  /** Such as `removing relay fra-1`. */
  readonly what: string;
  /** Called only when a person reads the output. */
  describe(): Promise<string> | string;
}

export type Columns<Item> = readonly (readonly [heading: string, cell: (item: Item) => string])[];

type ItemOf<Answer> = Answer extends { readonly items: readonly (infer Item)[] } ? Item : never;

// Methods, not functions in properties: words for one answer have to fit where words for any answer are kept.
export interface CommandWords<Answer = unknown> {
  readonly verb?: string;
  /** What one of a list is called. Absent: as the noun says. */
  readonly thing?: string;
  readonly summary?: string;
  readonly description?: string;
  /** Printed below the help. */
  readonly help?: string;
  /** Parameters that are arguments, in this order. Absent: those of the path, and the name of what is created. */
  readonly arguments?: readonly string[];
  readonly parameters?: Readonly<Record<string, ParameterWords>>;
  /** Members that are always sent so, and have no flag. */
  readonly fixed?: Readonly<Record<string, unknown>>;
  /** Parameters that have no flag. */
  readonly without?: readonly string[];
  /** The only parameters that have flags. */
  readonly only?: readonly string[];
  /** Flags of the command alone. */
  options?(): readonly Option[];
  /** Arguments of the command alone, after those of the operation. */
  own_arguments?(): readonly Argument[];
  /** False: it does not ask, although it removes something. */
  readonly confirm?: false | { ask(running: Running<Answer>): Confirmation };
  print?(answer: Answer, out: Output): string;
  readonly columns?: Columns<ItemOf<Answer>>;
  /** A list that is not paged: it has neither `--limit` nor `--all`. */
  readonly whole?: true;
  /** The order of the API is kept, being the one that people want. */
  readonly ordered?: true;
  /** After the answer was printed: notices, and how the program ends. */
  after?(answer: Answer, out: Output): void;
  /** In place of sending and printing. */
  run?(running: Running<Answer>): Promise<void>;
  /** The whole command, made by hand. */
  made?(): Command;
}
