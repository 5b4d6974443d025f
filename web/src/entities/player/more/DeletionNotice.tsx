import { t } from '@lingui/core/macro'
import { errorText } from '@/api/error'
import { useCancelOwnDeletionMutation, useGetOwnDeletionQuery } from '@/api/settings'
import { Button } from '@/ui'
import { formatMoment } from '@/ui/format'
import { Notice } from '@/ui/messages'
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
    <Notice
      status="warning"
      flexWrap="wrap"
      title={t`Your account will be deleted on ${formatMoment(scheduledFor)}.`}
      description={t`Until then everything goes on as before.`}
    >
      <Button size="sm" variant="outline" loading={isLoading} onClick={keep}>{t`Keep my account`}</Button>
    </Notice>
  )
}
