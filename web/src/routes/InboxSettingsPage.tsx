import { Navigate } from 'react-router'
import { paths } from './paths'

/** Leads from the address that the settings of the inbox had. */
export default function InboxSettingsPage() {
  return <Navigate to={paths.notificationSettings} replace />
}
