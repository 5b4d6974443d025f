import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import type { Appeal, AppealMessage } from '@/api/desk'
import { Badge, Stack, Text } from '@/ui'
import { DateTime } from '@/ui/format'

/** The state of an appeal. */
export function AppealBadge({
  state,
  waitingSince,
  answeredAt,
}: Pick<Appeal, 'state' | 'waitingSince' | 'answeredAt'>) {
  if (state === 'open' && !waitingSince) {
    return <Badge>{t`The moderators have asked`}</Badge>
  }
  if (state === 'open') {
    return (
      <Badge colorPalette="yellow">
        <Trans>
          Waiting since <DateTime iso={waitingSince} />
        </Trans>
      </Badge>
    )
  }
  return (
    <Badge colorPalette={state === 'granted' ? 'green' : 'gray'}>
      {state === 'granted' ? (
        <Trans>
          Appeal granted <DateTime iso={answeredAt} />
        </Trans>
      ) : (
        <Trans>
          Decision kept <DateTime iso={answeredAt} />
        </Trans>
      )}
    </Badge>
  )
}

interface Props {
  messages: readonly AppealMessage[]
  /** The name of the player who appeals; '' for the reader. */
  player: string
}

/** The messages of an appeal, the oldest first. */
export function AppealThread({ messages, player }: Props) {
  return (
    <Stack as="ol" gap="3" aria-label={t`Messages of the appeal`}>
      {messages.map(({ _id, from, text, at }) => (
        <Stack
          as="li"
          key={_id}
          gap="1"
          p="3"
          rounded="l2"
          bg={from === 'subject' ? 'bg.muted' : 'bg.emphasized'}
          ms={from === 'subject' ? '0' : { base: '4', md: '8' }}
        >
          <Text textStyle="xs" color="fg.muted">
            <Trans>
              <bdi translate={from === 'subject' && player ? 'no' : undefined}>
                {from === 'subject' ? player || t`You` : t`Moderator`}
              </bdi>
              , <DateTime iso={at} />
            </Trans>
          </Text>
          <Text whiteSpace="pre-line">{text}</Text>
        </Stack>
      ))}
    </Stack>
  )
}
