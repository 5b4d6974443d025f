import { t } from '@lingui/core/macro'
import { paths } from '@/routes/paths'
import { useSession } from '@/store/hooks'
import { HStack } from '@/ui'
import { ButtonLink } from '@/ui/links'
import { EmptyMessage } from '@/ui/messages'

/** Says to new players what they do first, and to others that there are no records. */
export function NewPlayer({ playerId }: { playerId: string }) {
  if (useSession()?._id !== playerId) {
    return <EmptyMessage title={t`No records yet.`} hint={t`Accepted records are listed here.`} />
  }
  return (
    <EmptyMessage
      title={t`Your profile begins with a record.`}
      hint={t`Choose an easy map, finish it in the game, and submit its replay: your times, medals and points are shown here.`}
    >
      <HStack gap="3" flexWrap="wrap" justify="center">
        <ButtonLink to={paths.allMaps}>{t`Explore Maps`}</ButtonLink>
        <ButtonLink to={paths.recordSubmit} variant="outline">{t`Submit Record`}</ButtonLink>
      </HStack>
    </EmptyMessage>
  )
}
