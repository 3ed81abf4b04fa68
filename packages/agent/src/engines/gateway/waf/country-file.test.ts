import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { countryFile } from '../../../../test/country-file.ts';
import { newFolder } from '../../../../test/new-folder.ts';
import { faultOfCountryFile } from './country-file.ts';

async function faultOf(content: Buffer | string): Promise<string | undefined> {
  await using folder = await newFolder();
  const path = join(folder.path, 'countries.mmdb');
  await writeFile(path, content);
  return (await faultOfCountryFile(path))?.replace(path, 'it');
}

const whole = countryFile({ '198.51.100.0/24': 'US', '203.0.113.0/25': 'DE' });

describe('a data file of countries', () => {
  it('is taken when it says which country addresses are of', async () => {
    assert.equal(await faultOf(whole), undefined);
  });

  it('is refused when it says something else, or nothing', async () => {
    const another = 'it does not say of addresses which country they are of';
    assert.equal(
      await faultOf(Buffer.from(whole.toString('latin1').replaceAll('iso_code', 'xso_code'), 'latin1')),
      another,
    );
    assert.equal(await faultOf(countryFile({})), another);
  });

  it('is refused when it is none, or only a part of one', async () => {
    const none = 'it is no data file of countries';
    assert.equal(await faultOf(''), none);
    assert.equal(await faultOf('GEOIP'), none);
    assert.equal(await faultOf(whole.subarray(0, whole.length / 2)), none);
    assert.equal(await faultOf(whole.subarray(whole.length - 225)), none, 'the metadata alone');
    assert.match((await faultOfCountryFile('/nowhere/countries.mmdb')) ?? '', /cannot be read/);
  });

  it('is refused, and no more, whichever byte of it is another', async () => {
    for (let at = 0; at < whole.length; at++) {
      const broken = Buffer.from(whole);
      broken[at] = (broken[at] ?? 0) ^ 0xff;
      assert.match((await faultOf(broken)) ?? 'it is taken', /^it /);
    }
  });
});
