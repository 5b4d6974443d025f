import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { useLocation } from 'react-router'
import { paths } from '@/routes/paths'
import { returnTo } from '@/session/session'
import { useSession } from '@/store/hooks'
import { FlagIcon } from '@/ui/icons'
import { ButtonLink } from '@/ui/links'
import { dialogButton } from '@/ui/more/dialogButton'
import { toaster } from '@/ui/toaster'

const DialogButton = dialogButton(() => import('./ReportDialog'))

interface Props {
  kind: 'record' | 'map' | 'player'
  id: string
  /** The player of the record, the author of the map, or the player, who has no button. */
  ownerId: string
  small?: true
}

/** Reports a thing to the moderators. Visitors are sent to the login, which leads back. */
export function ReportButton({ kind, id, ownerId, small }: Props) {
  const user = useSession()
  const { pathname, search } = useLocation()
  if (user?._id === ownerId) return null
  const style = { variant: 'ghost', size: small ? 'xs' : 'md' } as const
  const label = (
    <>
      <FlagIcon size={4} /> <Trans>Report</Trans>
    </>
  )
  if (!user) {
    const explain = () =>
      toaster.warning({ title: t`Authentication Required`, description: t`You must be logged in to report something.` })
    return (
      <ButtonLink to={paths.login} state={returnTo(pathname + search)} onClick={explain} {...style}>
        {label}
      </ButtonLink>
    )
  }
  return (
    <DialogButton {...style} dialog={{ subject: { kind, id } }}>
      {label}
    </DialogButton>
  )
}
