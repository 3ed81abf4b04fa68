import { chown } from 'node:fs/promises';
import { SharedFolder } from '../../host/shared-folder.ts';
import { GATEWAY_FOLDERS } from './gateway-files.ts';
import { GATEWAY_USER } from './nginx-config.ts';

export const NOT_INSTALLED =
  'nginx with its modules is not installed on this host: apt-get install nginx libnginx-mod-http-lua libnginx-mod-stream libnginx-mod-stream-js';

/** What the agent and nginx share. */
export class GatewayFolder extends SharedFolder {
  constructor(path: string) {
    super({
      path,
      user: GATEWAY_USER,
      no_user: NOT_INSTALLED,
      not_permitted: 'The agent runs a gateway only with the capabilities of gateway.conf.',
    });
  }

  override async prepare() {
    const user = await super.prepare();
    const { control, ...shared } = GATEWAY_FOLDERS;
    for (const name of Object.values(shared)) await this.folder(name);
    await this.folder(control, 'private');
    return user;
  }

  /** Folders that nginx gave to its workers are taken back first: the agent may not look into them. */
  override async remove(): Promise<void> {
    for (const name of await this.names(GATEWAY_FOLDERS.temp)) {
      await chown(this.file(`${GATEWAY_FOLDERS.temp}/${name}`), process.geteuid?.() ?? 0, -1);
    }
    await super.remove();
  }
}
