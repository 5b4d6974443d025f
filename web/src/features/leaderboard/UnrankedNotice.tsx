import { i18n } from '@lingui/core'
import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import type { ParkourMap } from '@/api'
import { REASONS } from '@/entities/moderation/texts'
import { Badge, type Elements, HStack } from '@/ui'

/** Says that moderators have unranked a map, and why where they have given a public reason. */
export default function UnrankedNotice({ reason }: { reason: ParkourMap['unrankedReason'] }): Elements {
  return (
    <HStack mt="2" gap="2">
      <Badge colorPalette="yellow">{t`Unranked`}</Badge>
      <Trans>Moderators have decided that its records give no points.</Trans>
      {reason && <span>{t`${i18n._(REASONS[reason])}.`}</span>}
    </HStack>
  )
}
