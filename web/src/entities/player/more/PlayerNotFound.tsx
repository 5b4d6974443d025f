import { t } from '@lingui/core/macro'
import { paths } from '@/routes/paths'
import { ButtonLink } from '@/ui/links'
import { EmptyMessage } from '@/ui/messages'

export const PlayerNotFound = () => (
  <EmptyMessage title={t`Player Not Found`} hint={t`There is no such profile. Search for the player by name.`}>
    <ButtonLink to={paths.playerSearch}>{t`View Players`}</ButtonLink>
  </EmptyMessage>
)
