import type { AuditEntry, CaseDetail, CaseSummary, Decision, DeskAppeal, OwnDecision } from '@/api/desk'
import { aRecord, cloudstep, mossfoot } from './fixtures'

/** The player whom cases are about. */
export const rain = {
  _id: '01900000-0000-7000-8000-000000000003',
  name: 'rain',
  skinImageUrl: null,
  skinColor: '#1e88e5',
}

const player = { _id: cloudstep._id, name: cloudstep.name, skinImageUrl: null, skinColor: '#8e24aa' }
const record = {
  kind: 'record' as const,
  id: aRecord()._id,
  player: rain,
  map: aRecord().map,
  finishTime: 38_100,
}

export const aCaseSummary = (change: Partial<CaseSummary> = {}): CaseSummary => ({
  _id: '01900000-0000-7000-8000-0000000000c1',
  subject: record,
  state: 'open',
  priority: 65,
  reports: 2,
  flags: 1,
  openedAt: '2026-05-11T18:05:00.000Z',
  closedAt: null,
  claim: null,
  ...change,
})

export const aDecision = (change: Partial<Decision> = {}): Decision => ({
  _id: '01900000-0000-7000-8000-0000000000e1',
  kind: 'remove_record',
  subject: record,
  by: player,
  publicReason: 'edited',
  text: 'The inputs of the replay do not lead to its time.',
  state: 'carried_out',
  refusal: null,
  until: null,
  keepRecords: false,
  into: null,
  caseId: aCaseSummary()._id,
  undoes: null,
  undoneBy: null,
  undoable: true,
  at: '2026-05-12T09:00:00.000Z',
  ...change,
})

export function aCase(change: Partial<CaseDetail> = {}): CaseDetail {
  const { _id, subject, state, priority, openedAt, closedAt, claim } = aCaseSummary()
  return {
    _id,
    subject,
    state,
    priority,
    openedAt,
    closedAt,
    claim,
    reports: [
      {
        _id: 'p1',
        reporter: mossfoot,
        accuracy: 0.75,
        reason: 'edited',
        text: 'Nobody is that fast in the third room.',
        at: '2026-05-11T18:05:00.000Z',
      },
      { _id: 'p2', reporter: player, accuracy: null, reason: 'not_own_play', text: '', at: '2026-05-11T19:00:00.000Z' },
    ],
    flags: [
      {
        _id: 'f1',
        kind: 'large_lead',
        silent: false,
        numbers: { finishTime: 38_100, previous: 46_500, percent: 18, finishers: 24 },
        at: '2026-05-11T18:05:00.000Z',
      },
    ],
    record: {
      finishTime: 38_100,
      finishTimeStamp: '2026-05-11T18:02:33.120Z',
      submittedAt: '2026-05-11T18:05:00.000Z',
      rank: 1,
      finishers: 24,
      removed: false,
      hidden: false,
      neighbours: [{ player: mossfoot, recordId: 'neighbour', finishTime: 46_500, rank: 2 }],
    },
    recordUnavailable: false,
    map: { removed: false, superseded: false, unranked: false, gameMapId: 912_044 },
    player: {
      registered: true,
      banned: false,
      bannedUntil: null,
      roles: [],
      createdAt: '2026-05-10T10:00:00.000Z',
    },
    decisions: [],
    history: [aDecision({ _id: 'earlier', kind: 'warn', publicReason: 'other', text: 'A warning.', undoable: false })],
    otherCases: [aCaseSummary({ _id: 'other', state: 'closed', closedAt: '2026-04-01T10:00:00.000Z' })],
    allowed: ['dismiss', 'remove_record', 'warn', 'ban'],
    conflict: null,
    ...change,
  }
}

/** A claim of the moderator who is logged in, until an hour from now. */
export const ownClaim = () => ({ player, until: new Date(Date.now() + 3_600_000).toISOString(), mine: true })

export const anAppeal = (change: Partial<DeskAppeal> = {}): DeskAppeal => ({
  _id: '01900000-0000-7000-8000-0000000000f1',
  decisionId: aDecision()._id,
  state: 'open',
  waitingSince: '2026-05-13T10:00:00.000Z',
  answeredAt: null,
  messages: [{ _id: 'm1', from: 'subject', text: 'I have a video of the run.', at: '2026-05-13T10:00:00.000Z' }],
  player: rain,
  decision: aDecision(),
  mayAnswer: true,
  ...change,
})

export const anOwnDecision = (change: Partial<OwnDecision> = {}): OwnDecision => ({
  _id: aDecision()._id,
  kind: 'remove_record',
  subject: record,
  publicReason: 'edited',
  text: 'The inputs of the replay do not lead to its time.',
  state: 'carried_out',
  until: null,
  keepRecords: false,
  undone: false,
  at: '2026-05-12T09:00:00.000Z',
  appeal: null,
  mayAppeal: true,
  ...change,
})

export const anAuditEntry = (change: Partial<AuditEntry> = {}): AuditEntry => ({
  _id: 'a1',
  at: '2026-05-12T09:00:00.000Z',
  actor: { kind: 'player', id: cloudstep._id, name: cloudstep.name },
  action: 'remove record',
  subjectId: record.id,
  subjectName: null,
  reason: 'The inputs do not lead to its time.',
  publicReason: 'edited',
  decisionId: aDecision()._id,
  before: { removedAt: null, rank: 1 },
  after: { removedAt: '2026-05-12T09:00:00Z', rank: 1 },
  ...change,
})
