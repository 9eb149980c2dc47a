import { cx } from '#ui/cx.ts';

/** A platform, with the ID that SDKs and Sentry use. */
export type Platform = { id: string; name: string; initials: string; group: PlatformGroup };
type PlatformGroup = 'Browser' | 'Server' | 'Other';

export const PLATFORMS: readonly Platform[] = [
  { id: 'javascript', name: 'JavaScript', initials: 'JS', group: 'Browser' },
  { id: 'javascript-react', name: 'React', initials: 'Re', group: 'Browser' },
  { id: 'javascript-vue', name: 'Vue', initials: 'Vu', group: 'Browser' },
  { id: 'javascript-angular', name: 'Angular', initials: 'Ng', group: 'Browser' },
  { id: 'javascript-svelte', name: 'Svelte', initials: 'Sv', group: 'Browser' },
  { id: 'javascript-nextjs', name: 'Next.js', initials: 'Nx', group: 'Server' },
  { id: 'node', name: 'Node.js', initials: 'No', group: 'Server' },
  { id: 'node-express', name: 'Express', initials: 'Ex', group: 'Server' },
  { id: 'python', name: 'Python', initials: 'Py', group: 'Server' },
  { id: 'python-django', name: 'Django', initials: 'Dj', group: 'Server' },
  { id: 'python-flask', name: 'Flask', initials: 'Fl', group: 'Server' },
  { id: 'python-fastapi', name: 'FastAPI', initials: 'Fa', group: 'Server' },
  { id: 'go', name: 'Go', initials: 'Go', group: 'Server' },
  { id: 'java', name: 'Java', initials: 'Ja', group: 'Server' },
  { id: 'java-spring-boot', name: 'Spring Boot', initials: 'Sp', group: 'Server' },
  { id: 'php', name: 'PHP', initials: 'Ph', group: 'Server' },
  { id: 'php-laravel', name: 'Laravel', initials: 'La', group: 'Server' },
  { id: 'php-symfony', name: 'Symfony', initials: 'Sy', group: 'Server' },
  { id: 'ruby', name: 'Ruby', initials: 'Rb', group: 'Server' },
  { id: 'ruby-rails', name: 'Rails', initials: 'Ra', group: 'Server' },
  { id: 'dotnet', name: '.NET', initials: '.N', group: 'Server' },
  { id: 'dotnet-aspnetcore', name: 'ASP.NET Core', initials: 'As', group: 'Server' },
  { id: 'rust', name: 'Rust', initials: 'Rs', group: 'Other' },
  { id: 'other', name: 'Other', initials: '··', group: 'Other' },
];

/** The platform with that id; null for one that this list does not know. */
export function findPlatform(id: string | null): Platform | null {
  return PLATFORMS.find((platform) => platform.id === id) ?? null;
}

/** A name for people; the id itself when the list does not know it. */
export const platformName = (id: string | null): string =>
  findPlatform(id)?.name ?? (id === null || id === '' ? 'Unknown platform' : id);

/** The initials of a platform in a tile; hidden from assistive technology, since the name is next to it. */
export function PlatformMark({ platform, size = 'md' }: { platform: string | null; size?: 'md' | 'lg' }) {
  return (
    <span
      aria-hidden
      className={cx(
        'mono grid shrink-0 place-items-center rounded-md border bg-surface-sunken font-semibold text-text-muted',
        size === 'md' ? 'size-8 text-xs' : 'size-10 text-sm',
      )}
    >
      {findPlatform(platform)?.initials ?? (platform ?? '·').slice(0, 2)}
    </span>
  );
}
