import { z } from 'zod';
import { member, memberDetail, memberOfTeam } from './people-shapes.ts';
import { flag, text } from './primitives.ts';
import { project, projectOfTeam, team, teamDetail } from './project-shapes.ts';
import type { ReferenceOperation } from './reference-operation.ts';

export const PEOPLE: Readonly<Record<string, ReferenceOperation>> = {
  'GET organizations/{org}/members/': { statuses: [200], answer: z.array(member) },
  'POST organizations/{org}/members/': { statuses: [201], answer: member },
  'DELETE organizations/{org}/members/{member}/': { statuses: [204], answer: null },
  'GET organizations/{org}/members/{member}/': { statuses: [200], answer: memberDetail },
  'PUT organizations/{org}/members/{member}/': { statuses: [200], answer: memberDetail },
  'DELETE organizations/{org}/members/{member}/teams/{team}/': { statuses: [200], answer: team },
  'POST organizations/{org}/members/{member}/teams/{team}/': { statuses: [201, 202, 204], answer: team },
  'PUT organizations/{org}/members/{member}/teams/{team}/': {
    statuses: [200],
    answer: z.looseObject({ isActive: flag, teamRole: text }),
  },
  'GET organizations/{org}/teams/': { statuses: [200], answer: z.array(teamDetail) },
  'POST organizations/{org}/teams/': { statuses: [201], answer: teamDetail },
  'GET organizations/{org}/user-teams/': { statuses: [200], answer: z.array(teamDetail) },
  'GET projects/{org}/{project}/members/': { statuses: [200], answer: z.array(member) },
  'GET projects/{org}/{project}/teams/': { statuses: [200], answer: z.array(team) },
  'DELETE projects/{org}/{project}/teams/{team}/': { statuses: [200], answer: projectOfTeam },
  'POST projects/{org}/{project}/teams/{team}/': { statuses: [201], answer: projectOfTeam },
  'DELETE teams/{org}/{team}/': { statuses: [204], answer: null },
  'GET teams/{org}/{team}/': { statuses: [200], answer: teamDetail },
  'PUT teams/{org}/{team}/': { statuses: [200], answer: teamDetail },
  'GET teams/{org}/{team}/members/': { statuses: [200], answer: z.array(memberOfTeam) },
  'GET teams/{org}/{team}/projects/': { statuses: [200], answer: z.array(project) },
  'POST teams/{org}/{team}/projects/': { statuses: [201], answer: project },
  'GET projects/{org}/{project}/users/': {
    statuses: [200],
    answer: z.array(z.looseObject({ username: text.nullable(), email: text.nullable() })),
  },
};
