import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { newId, type UserId, utc, WHOLE_MESH } from '@meshwork/contract';
import { TestClock } from '@meshwork/service/testing';
import { openStore } from '@meshwork/store';
import type { UserDocument } from '../../src/ledger/documents.ts';
import { Ledger } from '../../src/ledger/ledger.ts';
import { ANONYMOUS, type Cause, type Transaction } from '../../src/ledger/transaction.ts';

/** For whatever a test does to the ledger itself. */
const TEST_CAUSE: Cause = { actor: ANONYMOUS, action: 'panel.start', request_id: null, address: null };

/** A real ledger on a real store in a folder of its own, without a panel around it. Its clock is moved by the test alone. */
export class TestLedger {
  readonly ledger: Ledger;
  readonly clock: TestClock;
  readonly #end: () => Promise<void>;

  private constructor(ledger: Ledger, clock: TestClock, end: () => Promise<void>) {
    this.ledger = ledger;
    this.clock = clock;
    this.#end = end;
  }

  static async open(): Promise<TestLedger> {
    const folder = await mkdtemp(join(tmpdir(), 'mesh-ledger-'));
    const journal = await openStore(`sqlite:${join(folder, 'panel.db')}`);
    const clock = TestClock.still();
    const failed = (error: unknown) => {
      throw error;
    };
    const ledger = await Ledger.open({ journal, clock, failed });
    return new TestLedger(ledger, clock, async () => {
      await ledger.close();
      await journal.close();
      await rm(folder, { recursive: true });
    });
  }

  transact<T>(run: (tx: Transaction) => T): Promise<T> {
    return this.ledger.transact(TEST_CAUSE, run);
  }

  /** A person with an account who may sign in. */
  async person(name: string, given: Partial<UserDocument> = {}): Promise<UserId> {
    const id = newId('user', this.clock.now());
    const body: UserDocument = {
      name,
      display_name: name,
      role: 'operator',
      scope: WHOLE_MESH,
      state: 'active',
      password: null,
      totp: null,
      passkeys: [],
      oidc: null,
      appearance: 'auto',
      created_at: utc(this.clock.now()),
      created_by: ANONYMOUS,
      ...given,
    };
    await this.transact((tx) => {
      tx.put('name', name, { user: id });
      tx.put('user', id, body);
    });
    return id;
  }

  userOf(id: UserId): UserDocument {
    const user = this.ledger.get('user', id);
    if (user === undefined) throw new Error(`there is no ${id}`);
    return user.body;
  }

  close(): Promise<void> {
    return this.#end();
  }
}
