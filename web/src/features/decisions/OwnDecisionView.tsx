import { i18n } from '@lingui/core'
import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { type OwnDecision, useGetOwnDecisionQuery } from '@/api/desk'
import { Loaded } from '@/api/Loaded'
import { AppealBadge, AppealThread } from '@/entities/moderation/AppealThread'
import { SubjectName } from '@/entities/moderation/SubjectName'
import { DECIDED, REASONS, STATES, subjectLink } from '@/entities/moderation/texts'
import { paths } from '@/routes/paths'
import { Badge, DataList, Panel, Skeleton, Stack, Text } from '@/ui'
import { Fact } from '@/ui/Facts'
import { DateTime } from '@/ui/format'
import { PageHeading, usePageTitle } from '@/ui/headings'
import { ButtonLink, PageLink } from '@/ui/links'
import { EmptyMessage } from '@/ui/messages'
import { Part } from '@/ui/Part'
import { AppealForm } from './AppealForm'

/** As many messages wait for an answer at once, with the first. */
const MAX_WAITING = 3

/** A decision about the player who is logged in, with their appeal. */
export function OwnDecisionView({ decisionId }: { decisionId: string }) {
  const query = useGetOwnDecisionQuery({ id: decisionId }, { refetchOnMountOrArgChange: true })
  const decision = query.currentData?.data
  usePageTitle(decision ? i18n._(DECIDED[decision.kind]) : t`Decision`)
  return (
    <Loaded
      query={query}
      title={t`Decision`}
      skeleton={<Skeleton h="24rem" rounded="l3" role="status" aria-label={t`Loading the decision`} />}
      missing={
        <EmptyMessage title={t`Decision not found`} hint={t`Only the player concerned can read a decision.`}>
          <ButtonLink to={paths.decisions}>{t`Decisions about you`}</ButtonLink>
        </EmptyMessage>
      }
    >
      {(decision) => (
        <Stack gap="8" maxW="3xl">
          <DecisionCard decision={decision} />
          <AppealSection decision={decision} />
        </Stack>
      )}
    </Loaded>
  )
}

function DecisionCard({ decision }: { decision: OwnDecision }) {
  const { kind, subject, publicReason, text, state, until, keepRecords, undone, at } = decision
  return (
    <Stack gap="5">
      <PageHeading>{i18n._(DECIDED[kind])}</PageHeading>
      {undone && (
        <Text role="status" fontWeight="semibold">{t`This decision was undone. It has no effect any more.`}</Text>
      )}
      <Panel p={{ base: '4', md: '6' }}>
        <Stack gap="4">
          <Text whiteSpace="pre-line">{text}</Text>
          <DataList.Root display="grid" gridTemplateColumns={{ base: '1fr', sm: '1fr 1fr' }} gap="4">
            <Fact label={t({ message: 'About', context: 'what a decision is about' })}>
              {subject.kind === 'player' ? (
                t({ message: 'You', context: 'what a decision is about' })
              ) : (
                <PageLink to={subjectLink(subject)}>
                  <SubjectName subject={subject} />
                </PageLink>
              )}
            </Fact>
            <Fact label={t`Reason`}>{i18n._(REASONS[publicReason])}</Fact>
            <Fact label={t`Date`}>
              <DateTime iso={at} />
            </Fact>
            <Fact label={t`State`}>
              <Badge>{undone ? t`Undone` : i18n._(STATES[state])}</Badge>
            </Fact>
            {kind === 'ban' && (
              <>
                <Fact label={t`Until`}>{until ? <DateTime iso={until} /> : t`No end date`}</Fact>
                <Fact label={t`Your records`}>{keepRecords ? t`Stay visible` : t`Are hidden while the ban lasts`}</Fact>
              </>
            )}
          </DataList.Root>
        </Stack>
      </Panel>
    </Stack>
  )
}

function AppealSection({ decision: { _id, appeal, mayAppeal } }: { decision: OwnDecision }) {
  if (!appeal && !mayAppeal) return null
  const waiting = appeal?.state === 'open' ? countWaiting(appeal.messages) : 0
  return (
    <Part title={t`Appeal`} aside={appeal && <AppealBadge {...appeal} />}>
      <Stack gap="5">
        {appeal && <AppealThread messages={appeal.messages} player="" />}
        {appeal?.state === 'open' && waiting >= MAX_WAITING && (
          <Text color="fg.muted">
            <Trans>You have sent {MAX_WAITING} messages. You can write again when a moderator has answered.</Trans>
          </Text>
        )}
        {appeal?.state === 'open' && waiting < MAX_WAITING && (
          <AppealForm key={appeal.messages.length} decisionId={_id} appeal={appeal} />
        )}
        {mayAppeal && (
          <>
            <Text color="fg.muted">
              <Trans>
                Say why the decision is wrong. A moderator reads it, if possible not the one who decided, and you find
                the answer here and in your inbox.
              </Trans>
            </Text>
            <AppealForm decisionId={_id} />
          </>
        )}
      </Stack>
    </Part>
  )
}

/** Returns how many messages the player has sent since the last answer. */
function countWaiting(messages: readonly { from: string }[]): number {
  const answered = messages.findLastIndex(({ from }) => from === 'moderator')
  return messages.length - 1 - answered
}
