import { NftTable } from '../../host/nft-table.ts';
import { RELAY_TABLE } from '../../host/own-numbers.ts';
import type { RunCommand } from '../../host/run-command.ts';
import { RELAYED_PORTS } from './turn-config.ts';

/**
 * coturn allows and denies addresses, and not ports: with the address of a relay it would also send to whatever else listens there.
 * So what leaves one of its relayed ports goes to relayed ports alone, whatever the address.
 */
export class PortGuard {
  readonly #table: NftTable;

  constructor(run: RunCommand) {
    this.#table = new NftTable(RELAY_TABLE, run);
  }

  async apply(uid: number): Promise<void> {
    const [name, ports] = [`table inet ${RELAY_TABLE}`, `${RELAYED_PORTS.first}-${RELAYED_PORTS.last}`];
    const rule = `meta skuid ${uid} udp sport ${ports} udp dport != ${ports} counter drop`;
    const chain = `chain output { type filter hook output priority 0; policy accept; ${rule}\n}`;
    await this.#table.load(`${name}\ndelete ${name}\n${name} {\n${chain}\n}\n`);
  }

  /** In words. Null: it is there. */
  async drift(): Promise<string | null> {
    const listed = await this.#table.list();
    if (listed === null) return `the table ${RELAY_TABLE} is gone`;
    return listed.includes('"drop"') ? null : `the table ${RELAY_TABLE} was changed`;
  }

  remove(): Promise<void> {
    return this.#table.delete();
  }
}
