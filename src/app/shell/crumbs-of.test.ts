import { describe, expect, it } from 'vitest';
import { crumbsOf } from './crumbs-of.tsx';

describe('crumbsOf', () => {
  it('names the section and the thing', () => {
    expect(crumbsOf('/acme/issues/web-3f', 'acme')).toEqual([
      { href: '/acme/issues', label: 'Issues' },
      { href: '/acme/issues/web-3f', label: 'WEB-3F' },
    ]);
  });

  it('shortens event ids and keeps words', () => {
    const id = 'a'.repeat(32);
    expect(crumbsOf(`/acme/issues/WEB-1/events/${id}`, 'acme').map((crumb) => crumb.label)).toEqual([
      'Issues',
      'WEB-1',
      'Events',
      'aaaaaaaa',
    ]);
    expect(crumbsOf('/acme/issues/WEB-1/events/latest', 'acme').at(-1)?.label).toBe('latest');
  });

  it('shows a short address as the issue of the organization', () => {
    expect(crumbsOf('/i/WEB-3F', 'acme')).toEqual([
      { href: '/acme/issues', label: 'Issues' },
      { href: '/acme/issues/WEB-3F', label: 'WEB-3F' },
    ]);
  });

  it('takes a version with slashes as one step', () => {
    expect(crumbsOf('/acme/releases/team/web@1/x', 'acme')).toEqual([
      { href: '/acme/releases', label: 'Releases' },
      { href: '/acme/releases/team%2Fweb%401%2Fx', label: 'team/web@1/x' },
    ]);
  });

  it('survives an address that is not valid percent-encoding', () => {
    expect(crumbsOf('/acme/projects/%E0%A4%A', 'acme').at(-1)?.label).toBe('%E0%A4%A');
  });

  it('names what has a number by its kind', () => {
    expect(crumbsOf('/acme/alerts/12/edit', 'acme').map((crumb) => crumb.label)).toEqual([
      'Alerts',
      'Alert rule',
      'Edit',
    ]);
    expect(crumbsOf('/acme/alerts/new', 'acme').at(-1)?.label).toBe('New');
  });

  it('does not take a project called new-thing for the form', () => {
    expect(crumbsOf('/acme/projects/stats', 'acme').at(-1)?.label).toBe('stats');
    expect(crumbsOf('/acme/projects/new', 'acme').at(-1)?.label).toBe('Create project');
  });
});
