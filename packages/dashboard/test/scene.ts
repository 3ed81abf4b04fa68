/**
 * What the tests in a browser stand on: a coordinator, a panel and a small living mesh, people of every kind, and a browser.
 * One for a test file. `scene-roster.ts` says who is in the mesh, `scene-mesh.ts` brings it to life, `person.ts` is somebody
 * who looks at it.
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

/** What people are called here. */
export const NAMES: Readonly<Record<Role, string>> = {
  owner: 'grace',
  operator: 'ada',
  monitoring: 'mona',
  auditor: 'otto',
  viewer: 'vera',
};

interface SceneOptions {
  /** False: nobody is in the mesh. */
  readonly mesh?: boolean;
  readonly env?: Readonly<Record<string, string>>;
  /** Leads to the coordinator from now on: everybody goes by it. */
  readonly doorway?: Doorway;
  /** Leads to the panel from now on. */
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

  static async open({ mesh = true, env = {}, doorway, front }: SceneOptions = {}): Promise<Scene> {
    const [panel, chromium] = await Promise.all([TestPanel.start(env), Chromium.start()]);
    try {
      doorway?.leadTo(panel.coordinator.url);
      front?.leadTo(`http://127.0.0.1:${panel.port}`);
      const url = doorway?.url ?? panel.coordinator.url;
      const client = createClient({ url, token: panel.coordinator.owner });
      const fleet = mesh ? await settleMesh({ panel, client, url }) : undefined;
      // After the mesh, whose beginnings move the clock: everybody has proven themselves just now.
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

  /** What somebody's browser has to prove who they are, for requests that no page would send. */
  session(role: Role): TestBrowser {
    return this.#sessions[role];
  }

  /** Somebody who is signed in already, at a browser of their own. */
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

  /** Somebody who has never been here. */
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
