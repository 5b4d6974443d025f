import { i18n } from '@lingui/core'
import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { useLayoutEffect, useRef } from 'react'
import { useNavigate } from 'react-router'
import { type CaseDetail, type Decision, useGetCaseQuery } from '@/api/desk'
import { Loaded } from '@/api/Loaded'
import { SubjectName } from '@/entities/moderation/SubjectName'
import { SUBJECTS, subjectLink, subjectText } from '@/entities/moderation/texts'
import { paths } from '@/routes/paths'
import { Badge, Box, Button, type Elements, Flex, Grid, HStack, Panel, Skeleton, Stack, Text } from '@/ui'
import { DateTime } from '@/ui/format'
import { PageHeading, usePageTitle } from '@/ui/headings'
import { ArrowRightIcon } from '@/ui/icons'
import { useKeys } from '@/ui/keys'
import { BackLink, ButtonLink, PageLink, rememberedQuery } from '@/ui/links'
import { EmptyMessage, Notice } from '@/ui/messages'
import { Part } from '@/ui/Part'
import { CaseFlags } from './CaseFlags'
import { CaseReports } from './CaseReports'
import { ClaimPanel, useClaim } from './ClaimPanel'
import { DecisionForm } from './DecisionForm'
import { DecisionList } from './DecisionList'
import { Keys } from './Keys'
import { MapFacts, PlayerFacts, RecordFacts } from './SubjectFacts'
import { useNextCase } from './useNextCase'

// While something is being carried out, and otherwise.
const POLL_PENDING_MS = 2000
const POLL_MS = 30_000

interface Props {
  caseId: string
  /** The checks of the record. */
  checksOf: (recordId: string) => Elements
  /** The drawing of the map. */
  drawingOf: (mapId: string) => Elements
}

/** A case with all that a decision needs, and the decision. */
export function CaseView({ caseId, ...evidence }: Props) {
  const first = useGetCaseQuery({ id: caseId }, { refetchOnMountOrArgChange: true })
  const pending = first.currentData?.data.decisions.some(({ state }) => state === 'pending')
  const query = useGetCaseQuery(
    { id: caseId },
    { pollingInterval: pending ? POLL_PENDING_MS : POLL_MS, skipPollingIfUnfocused: true },
  )
  const found = query.currentData?.data
  usePageTitle(found ? t`Case: ${subjectText(found.subject)}` : t`Case`)
  const navigate = useNavigate()
  // Also while the case loads.
  useKeys({ n: useNextCase(caseId), u: () => navigate(paths.desk + rememberedQuery(paths.desk)) })
  return (
    <Stack gap="0">
      <Box>
        <BackLink to={paths.desk}>
          <Trans>Back to the cases</Trans>
        </BackLink>
      </Box>
      <Loaded
        query={query}
        title={t`Case`}
        skeleton={<Skeleton h="34rem" rounded="l3" role="status" aria-label={t`Loading the case`} />}
        missing={
          <EmptyMessage title={t`Case not found`} hint={t`The link is incomplete, or the case was closed long ago.`}>
            <ButtonLink to={paths.desk}>{t`All cases`}</ButtonLink>
          </EmptyMessage>
        }
      >
        {(detail) => <CaseDetails key={detail._id} detail={detail} {...evidence} />}
      </Loaded>
    </Stack>
  )
}

function CaseDetails({ detail, checksOf, drawingOf }: { detail: CaseDetail } & Omit<Props, 'caseId'>) {
  const { subject, state, priority, openedAt, closedAt, reports, flags, decisions, history, otherCases } = detail
  const next = useNextCase(detail._id)
  const claim = useClaim(detail)
  const form = useRef<HTMLDivElement>(null)
  useKeys({
    c: claim.toggle,
    d: () => {
      form.current?.scrollIntoView({ block: 'nearest' })
      focusDecision(form.current)
    },
  })
  const decidable = state === 'open' && (detail.claim?.mine ?? false)
  const before = useRef(decidable)
  useLayoutEffect(() => {
    if (before.current === decidable) return
    before.current = decidable
    // The button that claimed the case, or the form that decided it, is gone with the focus.
    if (document.activeElement === document.body) focusDecision(form.current)
  }, [decidable])
  return (
    <>
      <Flex wrap="wrap" align="flex-start" justify="space-between" gap="3" mb="6">
        <Box minW="0">
          <PageHeading>
            <SubjectName subject={subject} />
          </PageHeading>
          <HStack mt="2" gap="3" flexWrap="wrap" color="fg.muted" textStyle="sm">
            <Badge>{i18n._(SUBJECTS[subject.kind])}</Badge>
            {state === 'closed' && (
              <Badge colorPalette="green">
                <Trans>
                  Closed <DateTime iso={closedAt} />
                </Trans>
              </Badge>
            )}
            <span>
              <Trans>
                Opened <DateTime iso={openedAt} />
              </Trans>
            </span>
            <span>{t`Priority ${priority}`}</span>
            <PageLink to={subjectLink(subject)}>{t`Reported page`}</PageLink>
            <PageLink to={paths.auditOf(subject.id)}>{t`Audit log`}</PageLink>
          </HStack>
        </Box>
        <HStack gap="2">
          <Keys />
          <Button size="sm" variant="outline" onClick={next}>
            <Trans>Next case</Trans> <ArrowRightIcon size={4} />
          </Button>
        </HStack>
      </Flex>
      <Grid
        gridTemplateColumns={{ base: 'minmax(0, 1fr)', lg: 'minmax(0, 1fr) 26rem' }}
        gap={{ base: '6', lg: '8' }}
        alignItems="start"
      >
        <Stack gap="8" minW="0">
          {reports.length > 0 && <CaseReports reports={reports} />}
          {flags.length > 0 && <CaseFlags flags={flags} />}
          {detail.recordUnavailable && (
            <Notice
              role="alert"
              status="warning"
              title={t`The details of the record cannot be loaded right now. A decision about it waits until they can.`}
            />
          )}
          {detail.record && <RecordFacts id={subject.id} record={detail.record} />}
          {subject.kind === 'record' && checksOf(subject.id)}
          {detail.map && <MapFacts map={detail.map} />}
          {subject.map && drawingOf(subject.map._id)}
        </Stack>
        <Stack gap="8" minW="0">
          <Panel as="section" ref={form} tabIndex={-1} aria-label={t`Decision`} p="5">
            <ClaimPanel detail={detail} claim={claim} />
            {decidable && <DecisionForm detail={detail} />}
          </Panel>
          <Decisions title={t`Decisions of this case`} decisions={decisions} />
          {detail.player && subject.player && <PlayerFacts player={detail.player} name={subject.player.name} />}
          <Decisions title={t`Earlier decisions about the player`} decisions={history} named />
          {otherCases.length > 0 && <OtherCases cases={otherCases} />}
        </Stack>
      </Grid>
    </>
  )
}

// Focuses the first field of the form, the button that claims the case, or the panel of a closed case.
function focusDecision(panel: HTMLElement | null): void {
  const place = panel?.querySelector<HTMLElement>('form select') ?? panel?.querySelector<HTMLElement>('button') ?? panel
  place?.focus({ preventScroll: true })
}

function Decisions({ title, decisions, named }: { title: string; decisions: Decision[]; named?: true }) {
  if (decisions.length === 0) return null
  return (
    <Part title={title}>
      <DecisionList label={title} decisions={decisions} named={named} />
    </Part>
  )
}

function OtherCases({ cases }: { cases: CaseDetail['otherCases'] }) {
  return (
    <Part title={t`Other cases about the player`}>
      <Panel px="4">
        <Stack as="ul" gap="0" aria-label={t`Other cases about the player`}>
          {cases.map(({ _id, subject, state, openedAt }) => (
            <Flex as="li" key={_id} justify="space-between" gap="3" py="2">
              <PageLink to={paths.deskCase(_id)}>
                <SubjectName subject={subject} />
              </PageLink>
              <Text color="fg.muted" textStyle="sm" whiteSpace="nowrap">
                {state === 'open' ? t`Open` : <DateTime iso={openedAt} />}
              </Text>
            </Flex>
          ))}
        </Stack>
      </Panel>
    </Part>
  )
}
