import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { returnPathOf } from './return-path.ts';

const PANEL = 'https://panel.example:7480/';

describe('the page to end on', () => {
  it('is the one that was wanted, with its query and place', () => {
    for (const path of [
      '/',
      '/nodes',
      '/nodes?state=stale&q=%2F%2Fevil',
      '/acls#L7',
      '/a//b',
      '/%2F%2Fevil',
      '/%5Cevil',
    ]) {
      assert.equal(returnPathOf(path, PANEL), path);
    }
  });

  it('is the first page where a browser would go elsewhere, or to no page at all', () => {
    const elsewhere = [
      '//evil',
      '//evil/nodes',
      '/\\evil',
      '\\/evil',
      '/\t/evil',
      '/\n/evil',
      '/.//evil',
      '/x/..//evil',
      '/./\\evil',
      '/.\t//evil',
    ];
    const schemes = [
      'https://evil',
      'https://evil/nodes',
      'javascript:alert(1)',
      'data:text/html,x',
      'evil',
      '?x',
      '#x',
      '',
      'https:/evil',
    ];
    for (const path of [...elsewhere, ...schemes, '/api/v1/auth/logout', '/./api/v1/x', undefined]) {
      assert.equal(returnPathOf(path, PANEL), '/', String(path));
    }
  });
});
