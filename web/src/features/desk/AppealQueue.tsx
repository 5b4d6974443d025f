import { i18n } from '@lingui/core'
import { plural, t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import * as v from 'valibot'
import { type AppealAnswerRequest, type DeskAppeal, useAnswerAppealMutation, useListAppealsQuery } from '@/api/desk'
import { Listing, ListingStatus } from '@/api/Listing'
import { AppealBadge, AppealThread } from '@/entities/moderation/AppealThread'
import { SubjectName } from '@/entities/moderation/SubjectName'
import { DECIDED, REASONS, subjectLink } from '@/entities/moderation/texts'
import { PlayerName } from '@/entities/player/PlayerName'
import { chosen, Form, type Outcome, SelectField, TextareaField, textDraft, useForm, useSubmit } from '@/forms'
import { paths } from '@/routes/paths'
import { Box, Flex, Name, Panel, Skeleton, Stack, Text } from '@/ui'
import { oneOf, page, useAddress } from '@/ui/address'
import { DateTime } from '@/ui/format'
import { PageLink } from '@/ui/links'
import { range } from '@/ui/lists'
import { EmptyMessage } from '@/ui/messages'
import { dialogOnDemand } from '@/ui/more/dialogButton'
import { FilterSelect } from '@/ui/more/FilterSelect'
import { MAX_TEXT, reasonText, refusedDecision } from './decisionRules'

const GrantDialog = dialogOnDemand(() => import('./GrantDialog'))

const PAGE_SIZE = 20
const POLL_MS = 30_000

const appealsAddress = { state: oneOf(['open', 'answered'], 'open'), page }

/** The appeals that wait for an answer, that with the oldest message first, or those that were answered. */
export function AppealQueue() {
  const [view, show] = useAddress(appealsAddress)
  const { state } = view
  const query = useListAppealsQuery(
    { ...view, limit: PAGE_SIZE },
    { refetchOnMountOrArgChange: true, pollingInterval: POLL_MS, skipPollingIfUnfocused: true },
  )
  return (
    <Stack gap="4">
      <FilterSelect
        label={t`State`}
        w={{ base: 'full', sm: '12rem' }}
        value={state}
        choices={{ open: t`Waiting for an answer`, answered: t`Answered` }}
        onChoose={(state) => show({ state })}
      />
      <ListingStatus
        query={query}
        loading={t`Loading the appeals...`}
        total={(count) => plural(count, { one: '# appeal', other: '# appeals' })}
      />
      <Listing
        query={query}
        pages={{
          page: view.page,
          label: t`Pages of the appeals`,
          pastEnd: t`This page is past the last appeal.`,
          onPage: (page) => show({ page }),
        }}
        empty={
          <EmptyMessage title={state === 'open' ? t`No appeals are waiting for an answer.` : t`No appeals yet.`} />
        }
      >
        {(appeals) =>
          appeals ? (
            <Stack as="ul" gap="4" maxW="4xl" aria-label={t`Appeals`}>
              {appeals.map((appeal) => (
                <li key={appeal._id}>
                  <AppealPanel appeal={appeal} />
                </li>
              ))}
            </Stack>
          ) : (
            range(3).map((i) => <Skeleton key={i} h="48" rounded="l3" aria-hidden="true" aria-busy="true" />)
          )
        }
      </Listing>
    </Stack>
  )
}

function AppealPanel({ appeal }: { appeal: DeskAppeal }) {
  const { player, decision, mayAnswer, state, messages } = appeal
  const { kind, subject, publicReason, text, by, at, caseId } = decision
  const decided = i18n._(DECIDED[kind])
  return (
    <Panel as="article" aria-label={t`Appeal of ${player.name}`} p={{ base: '4', md: '5' }}>
      <Stack gap="4">
        <Flex wrap="wrap" align="center" gap="3">
          <PlayerName player={player} />
          <AppealBadge {...appeal} />
        </Flex>
        <Box>
          <Text fontWeight="semibold">
            <Trans>
              {decided}:{' '}
              <PageLink to={subjectLink(subject)}>
                <SubjectName subject={subject} />
              </PageLink>
            </Trans>
          </Text>
          <Text>{i18n._(REASONS[publicReason])}</Text>
          <Text whiteSpace="pre-line">{text}</Text>
          <Flex wrap="wrap" columnGap="3" color="fg.muted" textStyle="sm">
            {by ? (
              <span>
                <Trans>
                  By <Name>{by.name}</Name>, <DateTime iso={at} />
                </Trans>
              </span>
            ) : (
              <DateTime iso={at} />
            )}
            {caseId && (
              <PageLink to={paths.deskCase(caseId)}>
                <Trans>The case</Trans>
              </PageLink>
            )}
          </Flex>
        </Box>
        <AppealThread messages={messages} player={player.name} />
        {mayAnswer && <AnswerForm key={messages.length} appeal={appeal} />}
        {state === 'open' && !mayAnswer && (
          <Text color="fg.muted">
            <Trans>Another moderator answers it: you made the decision, or it is your own.</Trans>
          </Text>
        )}
      </Stack>
    </Panel>
  )
}

interface Values {
  outcome: AppealAnswerRequest['outcome'] | ''
  text: string
}

const schema = () =>
  v.object({
    outcome: chosen<AppealAnswerRequest['outcome']>(t`Choose what happens to the decision`),
    text: reasonText(),
  })

const FIELDS: Record<string, string> = {
  decision_text: 'text',
  // The outcome that is chosen is not possible.
  appeal_asked: 'outcome',
  appeal_questions_full: 'outcome',
  decision_final: 'outcome',
  decision_overtaken: 'outcome',
}

function AnswerForm({ appeal }: { appeal: DeskAppeal }) {
  const [answerAppeal] = useAnswerAppealMutation()
  const form = useForm<Values, AppealAnswerRequest>({
    schema,
    defaultValues: { outcome: '', text: '' },
    draft: { key: `appeal-${appeal._id}`, schema: textDraft },
  })
  const { opened, close, buttonProps } = GrantDialog.useOpened()
  const send = async (appealAnswerRequest: AppealAnswerRequest): Promise<Outcome> => {
    const { data, error } = await answerAppeal({ id: appeal._id, appealAnswerRequest })
    if (!data) return { error }
    if (appealAnswerRequest.outcome === 'asked') return { message: t`Asked` }
    if (data.data.state !== 'open') return { message: t`Answered` }
    // The answer has no reason.
    const message = t`The decision could not be undone, so the appeal is open again.`
    return { error: refusedDecision({ code: '', message }) }
  }
  const submission = useSubmit(form, send, {
    fallback: t`Failed to answer the appeal`,
    loginRequired: t`You must be logged in to decide.`,
    fieldOf: (code) => FIELDS[code],
  })
  const review = async () => {
    // The errors of a form that is not complete are shown as if it were sent.
    if (form.getValues('outcome') === 'granted' && (await form.trigger())) buttonProps.onClick()
    else await submission.submit()
  }
  const decided: Record<string, string> = {
    '': t`Choose an outcome`,
    granted: t`The decision is undone`,
    kept: t`The decision stays`,
  }
  // There is something to ask again when the player has answered.
  const choices = appeal.waitingSince ? { ...decided, asked: t`Not decided yet: ask the player` } : decided
  return (
    <>
      <Form
        form={form}
        submission={{ ...submission, submit: review }}
        label={t`Answer to ${appeal.player.name}`}
        button={t`Answer`}
      >
        <SelectField control={form.control} name="outcome" label={t`The decision`} choices={choices} />
        <TextareaField
          control={form.control}
          name="text"
          label={t({ message: 'Answer', context: 'text' })}
          rows={4}
          maxLength={MAX_TEXT}
        />
      </Form>
      {opened && <GrantDialog.Component decision={appeal.decision} onConfirm={submission.submit} onClose={close} />}
    </>
  )
}
