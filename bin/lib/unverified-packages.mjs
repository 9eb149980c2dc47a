/** Of entries that could not be verified when the lockfile was made; npm installs them on no machine. */
export const NO_PROCESSOR = 'none';

/** Whether an entry of the lockfile has no hash to verify the package with. */
export const isUnverified = ({ integrity, inBundle, link }) => !integrity && !inBundle && !link;

/** Packages for this machine that are not installed, as the lockfile has no hash of them. */
export function listUnverified(lockfile, { platform, arch, libc = findLibc() } = process) {
  const otherLibc = libc === 'glibc' ? 'musl' : 'gnu';
  return Object.entries(lockfile.packages)
    .filter(([name, entry]) => name !== '' && isUnverified(entry) && entry.os?.includes(platform))
    .map(([name]) => name.split('node_modules/').at(-1))
    .filter((name) => name.split('-').includes(arch) && !name.includes(otherLibc));
}

function findLibc() {
  return process.report?.getReport().header.glibcVersionRuntime ? 'glibc' : 'musl';
}
