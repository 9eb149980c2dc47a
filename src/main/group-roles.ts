import type { MemoryProfileName } from '#config/memory-profile.ts';
import type { RoleName } from '#config.ts';

/**
 * Which roles share a process, in the order of `roles`. On a small machine those two do that work in the background and
 * load the same code; edge and web answer people and SDKs, whom nothing else may keep waiting.
 */
export function groupRoles(roles: readonly RoleName[], profile: MemoryProfileName): RoleName[][] {
  const groups: RoleName[][] = [];
  for (const role of roles) {
    const shared = profile === 'small' && IN_BACKGROUND.includes(role);
    const group = shared && groups.find(([first]) => first !== undefined && IN_BACKGROUND.includes(first));
    if (group) group.push(role);
    else groups.push([role]);
  }
  return groups;
}

const IN_BACKGROUND: readonly RoleName[] = ['digest', 'jobs'];
