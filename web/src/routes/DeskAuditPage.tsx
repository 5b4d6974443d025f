import { t } from '@lingui/core/macro'
import { AuditLog } from '@/features/desk/AuditLog'
import { DeskTabs } from '@/features/desk/DeskTabs'

export default function DeskAuditPage() {
  return (
    <DeskTabs title={t`Audit log`}>
      <AuditLog />
    </DeskTabs>
  )
}
