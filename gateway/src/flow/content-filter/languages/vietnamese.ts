/** Vietnamese, as the content filter knows it. */

import type { Language } from '../lexicon.ts';

export const vietnamese: Language = {
  language: 'vi',
  word: 'từ',
  secret:
    'cụm từ khôi phục, cụm từ bí mật, cụm từ hạt giống, cụm từ ghi nhớ, khóa riêng tư, khóa cá nhân, khóa bí mật, khoá riêng tư, 12 từ, 24 từ, mật khẩu ví',
  ask: 'nhập, điền, gửi, chia sẻ, cung cấp, dán vào, dán, xác nhận, xác minh, sao chép, yêu cầu, cho chúng tôi biết',
  need: 'bắt buộc, cần thiết, tại đây, bên dưới, vui lòng',
  what: 'là gì',
  yours: 'của bạn',
  and: 'và, rồi',
  deny: 'không, đừng, không bao giờ, chưa, không ai',
  keep: 'lưu giữ, bảo quản, ghi lại, mất, đánh cắp, an toàn, ngoại tuyến',
  warned: 'ai, bất kỳ ai, kẻ lừa đảo, lừa đảo, giả mạo, cảnh giác',
  fraud: 'là lừa đảo, là kẻ lừa đảo',
  filler: 'và, hoặc, của, cho, với, để, bạn, chúng tôi, ví, vào',
  override: 'bỏ qua, quên, phớt lờ',
  rules: 'hướng dẫn, chỉ dẫn, lệnh, quy tắc, chỉ thị',
  former: 'tất cả, trước đó, trước, ở trên, mọi',
  may: 'có thể',
};
