import { listLandedBuilds } from '../../landed-builds/list-landed-builds.ts';
import { describeUpgradeOf } from '../../landed-builds/upgrade-suite.ts';

for (const build of listLandedBuilds()) describeUpgradeOf(build);
