import { LANDED_BUILDS } from '../../landed-builds/list-landed-builds.ts';
import { describeUpgradeOf } from '../../landed-builds/upgrade-suite.ts';

for (const build of LANDED_BUILDS) describeUpgradeOf(build);
