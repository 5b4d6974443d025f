import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { errorText } from '@/api/error'
import { useCancelOwnDeletionMutation, useGetOwnDeletionQuery } from '@/api/settings'
import { Alert, Button } from '@/ui'
import { formatMoment } from '@/ui/format'
import { AlertIcon } from '@/ui/icons'
import { toaster } from '@/ui/toaster'

/** Says when the own account is deleted, and keeps it. It is empty where no deletion was asked for. */
export default function DeletionNotice() {
  const { data } = useGetOwnDeletionQuery()
  const [cancel, { isLoading }] = useCancelOwnDeletionMutation()
  const scheduledFor = data?.data.scheduledFor
  if (!scheduledFor) return null
  const keep = async () => {
    const { error } = await cancel()
    if (error) toaster.error({ title: errorText(error, t`The deletion could not be cancelled`) })
    else toaster.success({ title: t`Your account stays` })
  }
  return (
    <Alert.Root status="warning" variant="subtle" alignItems="center" flexWrap="wrap">
      <Alert.Indicator>
        <AlertIcon />
      </Alert.Indicator>
      <Alert.Content>
        <Alert.Title>
          <Trans>Your account will be deleted on {formatMoment(new Date(scheduledFor))}.</Trans>
        </Alert.Title>
        <Alert.Description>
          <Trans>Until then everything goes on as before.</Trans>
        </Alert.Description>
      </Alert.Content>
      <Button size="sm" variant="outline" loading={isLoading} onClick={keep}>
        <Trans>Keep my account</Trans>
      </Button>
    </Alert.Root>
  )
}
