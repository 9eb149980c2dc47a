import { expect, test } from 'vitest';
import { IS_FULL } from '../harness/is-full.ts';
import { listLandedBuilds } from '../landed-builds/list-landed-builds.ts';
import { describeUpgradeOf } from '../landed-builds/upgrade-suite.ts';

const builds = listLandedBuilds();
/** The first release, which is the oldest that people run; the full run has all of them. */
const released = builds.find(({ name }) => name.endsWith('-0.1.0'));

test('there is what each build left that changed the schema', () => {
  expect(released).toBeDefined();
  expect(builds.length).toBeGreaterThan(10);
});

if (released && !IS_FULL) describeUpgradeOf(released);
