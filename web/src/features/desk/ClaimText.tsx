import { i18n } from '@lingui/core'
import { Trans } from '@lingui/react/macro'
import type { Claim } from '@/api/desk'
import { Name } from '@/ui'

/** Says who has a case, and until when. */
export function ClaimText({ claim: { player, until, mine } }: { claim: Claim }) {
  const time = i18n.date(new Date(until), { timeStyle: 'short' })
  return mine ? (
    <Trans>By you, until {time}</Trans>
  ) : (
    <Trans>
      By <Name>{player.name}</Name>, until {time}
    </Trans>
  )
}
