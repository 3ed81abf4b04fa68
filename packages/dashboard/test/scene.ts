/**
 * The setting of the browser tests: a coordinator, a panel, a small mesh of simulated nodes, people of every role, and a browser.
 * One for a test file. `scene-roster.ts` lists the nodes, `scene-mesh.ts` starts them, `person.ts` is a person
 * at a browser.
 */
import { type Client, createClient } from '@meshwork/client';
import type { Fleet, SimulatedNode } from '@meshwork/lab';
import { type TestBrowser, TestPanel } from '@meshwork/panel/testing';
import { Chromium, type Look } from './chromium.ts';
import type { Doorway } from './doorway.ts';
import { Person } from './person.ts';
import { nodeNamed, settleMesh } from './scene-mesh.ts';

const ROLES = ['owner', 'operator', 'monitoring', 'auditor', 'viewer'] as const;
export type Role = (typeof ROLES)[number];

/** The names of the people. */
export const NAMES: Readonly<Record<Role, string>> = {
  owner: 'grace',
  operator: 'ada',
  monitoring: 'mona',
  auditor: 'otto',
  viewer: 'vera',
};

interface SceneOptions {
  /** False: the mesh has no nodes. */
  readonly mesh?: boolean;
  /** True: the mesh has a CA. Making it takes a thread, and few tests need it. */
  readonly authorities?: boolean;
  readonly env?: Readonly<Record<string, string>>;
  /** The proxy in front of the coordinator, which all traffic passes. */
  readonly doorway?: Doorway;
  /** The proxy in front of the panel. */
  readonly front?: Doorway;
}

export class Scene implements AsyncDisposable {
  readonly panel: TestPanel;
  readonly chromium: Chromium;
  /** As the owner, past the panel. */
  readonly client: Client;
  readonly #fleet: Fleet | undefined;
  readonly #sessions: Readonly<Record<Role, TestBrowser>>;

  private constructor(
    panel: TestPanel,
    chromium: Chromium,
    given: { client: Client; fleet: Fleet | undefined; sessions: Readonly<Record<Role, TestBrowser>> },
  ) {
    this.panel = panel;
    this.chromium = chromium;
    this.client = given.client;
    this.#fleet = given.fleet;
    this.#sessions = given.sessions;
  }

  static async open({ mesh = true, authorities = false, env = {}, doorway, front }: SceneOptions = {}): Promise<Scene> {
    const start = authorities ? TestPanel.startWithAuthorities(env) : TestPanel.start(env);
    const [panel, chromium] = await Promise.all([start, Chromium.start()]);
    try {
      doorway?.leadTo(panel.coordinator.url);
      front?.leadTo(`http://127.0.0.1:${panel.port}`);
      const url = doorway?.url ?? panel.coordinator.url;
      const client = createClient({ url, token: panel.coordinator.owner });
      const fleet = mesh ? await settleMesh({ panel, client, url }) : undefined;
      // After the mesh, whose start moves the clock: each session has a fresh step-up.
      return new Scene(panel, chromium, { client, fleet, sessions: await welcome(panel) });
    } catch (error) {
      await chromium[Symbol.asyncDispose]();
      await panel.close();
      throw error;
    }
  }

  get url(): string {
    return this.panel.url;
  }

  get fleet(): Fleet {
    if (this.#fleet === undefined) throw new Error('This scene has no mesh.');
    return this.#fleet;
  }

  node(name: string): SimulatedNode {
    return nodeNamed(this.fleet, name);
  }

  /** The session of a person, for requests that no page would send. */
  session(role: Role): TestBrowser {
    return this.#sessions[role];
  }

  /** A person who is signed in, with a browser context of their own. */
  async person(role: Role, look: Partial<Look> = {}): Promise<Person> {
    return await this.signedIn(this.#sessions[role], look);
  }

  async signedIn({ session }: TestBrowser, look: Partial<Look> = {}): Promise<Person> {
    if (session === undefined) throw new Error('They are not signed in.');
    const person = await this.stranger(look);
    const cookie = { name: 'mesh_session', value: session, url: this.url, httpOnly: true, sameSite: 'Strict' } as const;
    await person.context.addCookies([cookie]);
    return person;
  }

  /** A visitor without a session. */
  async stranger(look: Partial<Look> = {}): Promise<Person> {
    return await Person.at(this.url, await this.chromium.person(look));
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.chromium[Symbol.asyncDispose]();
    await this.#fleet?.close();
    await this.panel.close();
  }
}

async function welcome(panel: TestPanel): Promise<Readonly<Record<Role, TestBrowser>>> {
  const owner = await panel.owner(NAMES.owner);
  const invite = (role: Role) => panel.person(owner, { name: NAMES[role], role });
  const [operator, monitoring, auditor, viewer] = [
    await invite('operator'),
    await invite('monitoring'),
    await invite('auditor'),
    await invite('viewer'),
  ];
  return { owner, operator, monitoring, auditor, viewer };
}
