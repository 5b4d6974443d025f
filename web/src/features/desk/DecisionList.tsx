import { i18n } from '@lingui/core'
import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import type { Decision } from '@/api/desk'
import { refusalSentence } from '@/api/error'
import { DECIDED, REASONS, STATES, subjectLink, subjectText } from '@/entities/moderation/texts'
import { Badge, Button, Flex, loadDialog, Name, Panel, Stack, Text } from '@/ui'
import { DateTime } from '@/ui/format'
import { PageLink } from '@/ui/links'
import { onDemand } from '@/ui/onDemand'

const UndoDialog = onDemand(async () => (await Promise.all([import('./UndoDialog'), loadDialog()]))[0])

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
      <Stack as="ul" gap="0" aria-label={label} css={{ '& > li + li': { borderTopWidth: '1px' } }}>
        {decisions.map((decision) => (
          <DecisionItem key={decision._id} decision={decision} named={named} />
        ))}
      </Stack>
    </Panel>
  )
}

function DecisionItem({ decision, named }: { decision: Decision; named?: true | undefined }) {
  const { kind, subject, by, publicReason, text, state, refusal, until, keepRecords, into, undoneBy, undoable, at } =
    decision
  const { opened, close, buttonProps } = UndoDialog.useOpened()
  const { loading, ...handlers } = buttonProps
  const author = by?.name
  return (
    <Stack as="li" gap="1" py="3">
      <Flex wrap="wrap" align="center" gap="2">
        <Text fontWeight="semibold">{i18n._(DECIDED[kind])}</Text>
        <Badge colorPalette={COLOURS[state]} role="status">
          {i18n._(STATES[state])}
        </Badge>
        {undoneBy && (
          <Badge>
            <Trans>Undone</Trans>
          </Badge>
        )}
      </Flex>
      {named && <PageLink to={subjectLink(subject)}>{subjectText(subject)}</PageLink>}
      <Text>{i18n._(REASONS[publicReason])}</Text>
      <Text whiteSpace="pre-line" overflowWrap="anywhere">
        {text}
      </Text>
      {kind === 'ban' && (
        <Text>
          {until ? (
            <Trans>
              Until <DateTime iso={until} />
            </Trans>
          ) : (
            <Trans>Without an end</Trans>
          )}
          <span>. </span>
          {keepRecords ? <Trans>The records stay visible.</Trans> : <Trans>The records are hidden.</Trans>}
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
              By {author}, <DateTime iso={at} />
            </Trans>
          ) : (
            <DateTime iso={at} />
          )}
        </Text>
        {undoable && (
          <Button
            size="xs"
            variant="outline"
            aria-label={t`Undo: ${i18n._(DECIDED[kind])}`}
            aria-haspopup="dialog"
            aria-busy={loading || undefined}
            {...handlers}
            aria-expanded={opened}
          >
            <Trans>Undo</Trans>
          </Button>
        )}
      </Flex>
      {opened && <UndoDialog.Component decision={decision} onClose={close} />}
    </Stack>
  )
}
