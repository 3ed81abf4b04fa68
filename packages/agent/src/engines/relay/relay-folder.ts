import { SharedFolder } from '../../host/shared-folder.ts';
import { RELAY_USER } from './turn-config.ts';

/** What the agent and coturn share. */
export class RelayFolder extends SharedFolder {
  constructor(path: string) {
    super({
      path,
      user: RELAY_USER,
      no_user: 'coturn is not installed on this host: apt-get install coturn',
      not_permitted: 'The agent runs a relay only with the capabilities of relay.conf.',
    });
  }
}
