/** A platform, with the ID that SDKs and Sentry use. */
export type Platform = { id: string; name: string; group: PlatformGroup };
type PlatformGroup = 'Browser' | 'Server' | 'Other';

export const PLATFORMS: readonly Platform[] = [
  { id: 'javascript', name: 'JavaScript', group: 'Browser' },
  { id: 'javascript-react', name: 'React', group: 'Browser' },
  { id: 'javascript-vue', name: 'Vue', group: 'Browser' },
  { id: 'javascript-angular', name: 'Angular', group: 'Browser' },
  { id: 'javascript-svelte', name: 'Svelte', group: 'Browser' },
  { id: 'javascript-nextjs', name: 'Next.js', group: 'Server' },
  { id: 'node', name: 'Node.js', group: 'Server' },
  { id: 'node-express', name: 'Express', group: 'Server' },
  { id: 'python', name: 'Python', group: 'Server' },
  { id: 'python-django', name: 'Django', group: 'Server' },
  { id: 'python-flask', name: 'Flask', group: 'Server' },
  { id: 'python-fastapi', name: 'FastAPI', group: 'Server' },
  { id: 'go', name: 'Go', group: 'Server' },
  { id: 'java', name: 'Java', group: 'Server' },
  { id: 'java-spring-boot', name: 'Spring Boot', group: 'Server' },
  { id: 'php', name: 'PHP', group: 'Server' },
  { id: 'php-laravel', name: 'Laravel', group: 'Server' },
  { id: 'php-symfony', name: 'Symfony', group: 'Server' },
  { id: 'ruby', name: 'Ruby', group: 'Server' },
  { id: 'ruby-rails', name: 'Rails', group: 'Server' },
  { id: 'dotnet', name: '.NET', group: 'Server' },
  { id: 'dotnet-aspnetcore', name: 'ASP.NET Core', group: 'Server' },
  { id: 'rust', name: 'Rust', group: 'Other' },
  { id: 'other', name: 'Other', group: 'Other' },
];

/** The platform with that id; null for one that this list does not know. */
export function findPlatform(id: string | null): Platform | null {
  return PLATFORMS.find((platform) => platform.id === id) ?? null;
}

/** A name for people; the id itself when the list does not know it. */
export const platformName = (id: string | null): string =>
  findPlatform(id)?.name ?? (id === null || id === '' ? 'Unknown platform' : id);
