import { i18n } from '@lingui/core'
import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import type { Decision } from '@/api/desk'
import { refusalSentence } from '@/api/error'
import { SubjectName } from '@/entities/moderation/SubjectName'
import { DECIDED, REASONS, STATES, subjectLink } from '@/entities/moderation/texts'
import { Badge, Flex, Name, Panel, Stack, Text } from '@/ui'
import { DividedList } from '@/ui/DividedList'
import { DateTime } from '@/ui/format'
import { PageLink } from '@/ui/links'
import { dialogButton } from '@/ui/more/dialogButton'

const UndoButton = dialogButton(() => import('./UndoDialog'))

const COLOURS = { pending: 'yellow', carried_out: 'green', refused: 'red' } as const

interface Props {
  label: string
  decisions: Decision[]
  /** They are about different things. */
  named?: true | undefined
}

/** Decisions with their reasons and states, each of which can be undone where the server says so. */
export function DecisionList({ label, decisions, named }: Props) {
  return (
    <Panel px="4">
      <DividedList aria-label={label}>
        {decisions.map((decision) => (
          <DecisionItem key={decision._id} decision={decision} named={named} />
        ))}
      </DividedList>
    </Panel>
  )
}

function DecisionItem({ decision, named }: { decision: Decision; named?: true | undefined }) {
  const { kind, subject, by, publicReason, text, state, refusal, until, keepRecords, into, undoneBy, undoable, at } =
    decision
  const author = by?.name
  return (
    <Stack as="li" gap="1" py="3">
      <Flex wrap="wrap" align="center" gap="2">
        <Text fontWeight="semibold">{i18n._(DECIDED[kind])}</Text>
        <Badge colorPalette={COLOURS[state]} role="status">
          {i18n._(STATES[state])}
        </Badge>
        {undoneBy && <Badge>{t`Undone`}</Badge>}
      </Flex>
      {named && (
        <PageLink to={subjectLink(subject)}>
          <SubjectName subject={subject} />
        </PageLink>
      )}
      <Text>{i18n._(REASONS[publicReason])}</Text>
      <Text whiteSpace="pre-line">{text}</Text>
      {kind === 'ban' && (
        <Text>
          {until && keepRecords && (
            <Trans>
              Until <DateTime iso={until} />. The records stay visible.
            </Trans>
          )}
          {until && !keepRecords && (
            <Trans>
              Until <DateTime iso={until} />. The records are hidden.
            </Trans>
          )}
          {!until && keepRecords && <Trans>Permanent. The records stay visible.</Trans>}
          {!until && !keepRecords && <Trans>Permanent. The records are hidden.</Trans>}
        </Text>
      )}
      {into && (
        <Text>
          <Trans>
            Into <Name>{into.name}</Name>
          </Trans>
        </Text>
      )}
      {refusal && <Text color="fg.error">{refusalSentence(refusal)}</Text>}
      <Flex wrap="wrap" align="center" justify="space-between" gap="3">
        <Text color="fg.muted" textStyle="sm">
          {author ? (
            <Trans>
              By <Name>{author}</Name>, <DateTime iso={at} />
            </Trans>
          ) : (
            <DateTime iso={at} />
          )}
        </Text>
        {undoable && (
          <UndoButton size="xs" variant="outline" aria-label={t`Undo: ${i18n._(DECIDED[kind])}`} dialog={{ decision }}>
            <Trans>Undo</Trans>
          </UndoButton>
        )}
      </Flex>
    </Stack>
  )
}
