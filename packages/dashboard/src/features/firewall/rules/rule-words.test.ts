import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { ruleWords, withPlaces } from './rule-words.ts';

const rule = { direction: 'in', interface: 'any', protocol: 'any', action: 'drop' } as const;

describe('a host rule in words', () => {
  it('says what it is about', () => {
    assert.equal(ruleWords(rule), 'Everything inbound on any interface');
    assert.equal(
      ruleWords({
        ...rule,
        direction: 'out',
        interface: 'eth0',
        protocol: 'tcp',
        ports: ['22', '8000-8999'],
        to: ['198.51.100.0/24'],
        rate: { count: 10, per: 'minute' },
      }),
      'tcp 22, 8000-8999 outbound to 198.51.100.0/24 on eth0, up to 10 new connections per minute',
    );
    assert.equal(ruleWords({ ...rule, interface: 'mesh', protocol: 'icmp' }), 'All icmp inbound through the mesh');
  });

  it('is called by its place, whatever programs call it', () => {
    const id = 'firewall_01m7fakr1zf5m9pgecw30jt901';
    assert.equal(
      withPlaces('Rule rule-1 is never asked: rule rule-0 before it drops all.', []),
      'Rule 2 is never asked: rule 1 before it drops all.',
    );
    assert.equal(withPlaces(`Rule ${id} drops it.`, ['other', id]), 'Rule 2 drops it.');
    assert.equal(withPlaces(`Rule ${id} drops it.`, []), `Rule ${id} drops it.`);
    assert.equal(
      withPlaces('Rule new-rule drops it. That is so on git-1. Send `force` if that is meant.', []),
      'The new rule drops it. That is so on git-1.',
    );
  });
});
