import { readConfig, startCoordinator } from '../src/index.ts';

/** What a parent tells it by messages. */
let isHostile = false;
let wasTried = false;
const running = await startCoordinator(readConfig(process.env), {
  tries_acme_client: (one_of) => {
    // Never twice in a row: certbot and others try once more, and no server that only restarts refuses them again.
    wasTried = isHostile && !wasTried && Math.random() * one_of < 1;
    return wasTried;
  },
  inner_looks_every_ms: 200,
});
process.on('message', (message) => {
  if (message === 'inner_url') process.send?.({ inner_url: running.inner_url() });
  else isHostile = message === 'hostile';
});
process.once('SIGTERM', () => void running.close().then(() => process.disconnect?.()));
process.send?.(running.url); // last: the parent may send the signal at once
