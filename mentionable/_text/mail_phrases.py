"""What mail programs write around a quotation, a forwarded mail and a signature, in the languages of their users.

Every phrase is in lower case, as `str.casefold` gives it. The forms are those of Gmail, Apple Mail, Outlook,
Thunderbird, Yahoo and others, which differ.
"""

from __future__ import annotations

from typing import Final

WROTE: Final = (
    "’s message of", "'s message of",
    "تمت كتابة ما يلي", "쓴 글", "şunları yazdı", "şunu yazdı", "scrisse", "napsala", "пишет", "писала", "ezt írta",
    "wrote", "writes", "schrieb", "geschrieben", "schreibt", "a écrit", "écrivait", "escribió", "ha escrito",
    "ha scritto", "escreveu", "schreef", "geschreven", "heeft geschreven", "skrev", "skriver", "kirjoitti",
    "napisał", "pisze", "napsal", "napísal", "написал", "писал", "написав", "написала", "пише", "yazdı", "yazmış",
    "đã viết", "viết", "menulis", "写道", "寫道", "写到", "님이 작성", "님이 쓴 글", "작성:", "のメール",
    "書きました", "wrote ", "a scris", "írta", "έγραψε", "כתב", "כתבה", "كتب", "كتبت", "نوشت", "نوشته است",
    "نے لکھا", "ने लिखा", "লিখেছেন", "লিখেছে", "เขียนว่า", "ha escrit", "написа",
)  # fmt: skip
"""The verb of an attribution: `On Monday … wrote:`."""

ATTRIBUTION_STARTS: Final = (
    "--- on ", "excerpts from ",
    "în ", "la ", "ในวันที่ ", "a(z) ", "kl. ", "on ", "am ", "le ", "el ", "il ", "em ", "op ", "den ", "dne ",
    "dňa ", "в ", "во ", "у ", "від ", "w dniu ", "dnia ", "pada ", "vào ", "ngày ", "lúc ", "på ", "στισ ", "ב",
    "في ", "بتاريخ ", "در ", "بروز ", "तारीख", "на ", "在", "于", "於", "---- ", "il giorno ", "la data ", "pe ",
)  # fmt: skip
"""What an attribution begins with, when it does not begin with a number, a weekday, or a name and its address."""

WEEKDAYS: Final = frozenset({
    "mon", "tue", "wed", "thu", "fri", "sat", "sun", "mo", "di", "mi", "do", "fr", "sa", "so", "lun", "mar", "mer",
    "jeu", "ven", "sam", "dim", "mié", "jue", "vie", "sáb", "dom", "seg", "ter", "qua", "qui", "sex", "gio", "sab",
    "пн", "вт", "ср", "чт", "пт", "сб", "вс", "нд", "सोम", "मंगल", "बुध", "गुरु", "शुक्र", "शनि", "रवि", "pzt",
    "sal", "çar", "per", "cum", "cmt", "paz", "pt", "pon", "wt", "śr", "czw", "sob", "niedz", "po", "út", "st",
    "čt", "pá", "ne", "সোম", "মঙ্গল", "বুধ", "বৃহস্পতি", "শুক্র", "শনি", "রবি", "sen", "sel", "rab", "kam", "jum",
    "min", "ma", "wo", "vr", "za", "zo", "mån", "tis", "ons", "tors", "fre", "lör", "sön", "man", "tir", "tor",
    "lør", "søn", "th", "cn", "پیر", "منگل", "بدھ", "جمعرات", "جمعہ", "ہفتہ", "اتوار",
})  # fmt: skip
"""Weekdays as attributions shorten them, without their full stop."""

NAME_PARTICLES: Final = frozenset({
    "van", "von", "vom", "der", "den", "de", "del", "della", "di", "da", "dos", "du", "la", "le", "ter", "zu", "zur",
    "bin", "al", "el", "y", "e", "af", "av",
})  # fmt: skip
"""Words of names that are in lower case."""

AUXILIARIES: Final = frozenset({"hat", "heeft"})
"""What is before the name where the verb of an attribution is at its end: `hat Bob <…> Folgendes geschrieben:`."""

_FROM: Final = (
    "from", "von", "de", "da", "od", "от", "від", "van", "från", "fra", "发件人", "發件人", "寄件者", "寄件人",
    "差出人", "送信者", "送信元", "보낸 사람", "보낸사람", "보내는 사람", "gönderen", "kimden", "من", "מאת", "از",
    "फ्रॉम", "प्रेषक", "से", "থেকে", "প্রেরক", "từ", "người gửi", "dari", "pengirim", "feladó", "lähettäjä", "από",
    "expeditor", "de la", "منجانب", "از طرف", "odosielateľ", "odesílatel", "отправитель", "відправник", "afzender",
    "expéditeur", "remitente", "mittente", "remetente", "absender", "nadawca", "المرسل", "فرستنده", "שולח",
)  # fmt: skip
_SENT: Final = (
    "sent", "date", "gesendet", "datum", "envoyé", "envoyé le", "fecha", "enviado", "enviado el", "enviado em",
    "enviada", "enviada em", "data", "inviato", "data invio", "wysłano", "отправлено", "дата", "отправлен",
    "надіслано", "verzonden", "skickat", "sendt", "dato", "odesláno", "odoslané", "发送时间", "发送日期", "日期",
    "时间", "時間", "傳送時間", "寄件日期", "已傳送", "送信日時", "日付", "日時", "보낸 날짜", "날짜", "보낸날짜",
    "gönderildi", "gönderme tarihi", "gönderilme tarihi", "tarih", "تاريخ الإرسال", "التاريخ", "أُرسلت",
    "تم الإرسال", "תאריך", "נשלח", "تاریخ", "ارسال شده", "ارسال", "تاریخ ارسال", "भेजा गया", "दिनांक", "तारीख़",
    "तारीख", "তারিখ", "পাঠানো হয়েছে", "প্রেরিত", "đã gửi", "ngày", "ngày gửi", "gửi", "dikirim", "tanggal",
    "terkirim", "lähetetty", "päivämäärä", "küldve", "elküldve", "dátum", "trimis", "ημερομηνία", "στάλθηκε",
    "بھیجا گیا", "dnia",
)  # fmt: skip
_TO: Final = (
    "to", "an", "à", "para", "a", "do", "кому", "收件人", "收件者", "宛先", "받는 사람", "받는사람", "kime",
    "alıcı", "إلى", "אל", "לכבוד", "به", "को", "प्रति", "सेवा में", "প্রতি", "প্রাপক", "tới", "đến", "người nhận",
    "kepada", "untuk", "ke", "aan", "till", "til", "komu", "címzett", "vastaanottaja", "către", "catre", "προσ",
    "destinataire", "destinatario", "بنام", "گیرنده",
)  # fmt: skip
_SUBJECT: Final = (
    "subject", "betreff", "objet", "asunto", "oggetto", "assunto", "temat", "тема", "onderwerp", "ämne", "emne",
    "předmět", "predmet", "主题", "主題", "主旨", "件名", "題名", "제목", "konu", "الموضوع", "נושא", "הנדון",
    "موضوع", "विषय", "বিষয়", "chủ đề", "tiêu đề", "subjek", "perihal", "judul", "subyek", "tárgy", "aihe",
    "subiect", "θέμα", "عنوان",
)  # fmt: skip
_OTHER: Final = (
    "cc", "kopie", "копия", "копія", "抄送", "副本", "ccc", "bcc", "kopia", "kopi", "참조", "bilgi", "نسخة", "העתק",
    "رونوشت", "reply-to", "importance", "attachments", "antwort an", "organization", "newsgroups", "message-id",
    "priority", "wichtigkeit", "anlagen", "pièces jointes", "datos adjuntos", "allegati", "вложения", "重要度",
    "添付ファイル", "附件",
)  # fmt: skip

HEADER_ROLES: Final = {
    **dict.fromkeys(_OTHER, "other"),
    **dict.fromkeys(_TO, "to"),
    **dict.fromkeys(_SENT, "sent"),
    **dict.fromkeys(_SUBJECT, "subject"),
    **dict.fromkeys(_FROM, "from"),
}
"""The name of a field at the head of a quoted mail → what it is."""

ORIGINAL: Final = frozenset({
    "original message", "ursprüngliche nachricht", "originalnachricht", "original-nachricht", "message d'origine",
    "message d’origine", "message original", "mensaje original", "messaggio originale", "mensagem original",
    "oorspronkelijk bericht", "originalmeddelande", "ursprungligt meddelande", "oprindelig meddelelse",
    "opprinnelig melding", "alkuperäinen viesti", "исходное сообщение", "оригинальное сообщение",
    "оригінальне повідомлення", "первоначальное сообщение", "початкове повідомлення", "原始邮件", "原始郵件",
    "原始訊息", "邮件原件", "元のメッセージ", "original mail", "original-mail", "원본 메시지", "원본 메일",
    "original e-mail", "orijinal mesaj", "orijinal ileti", "özgün ileti", "oryginalna wiadomość",
    "wiadomość oryginalna", "původní zpráva", "pôvodná správa", "الرسالة الأصلية", "رسالة أصلية", "הודעה מקורית",
    "پیام اصلی", "मूल संदेश", "মূল বার্তা", "اصل پیغام", "thư gốc", "tin nhắn gốc", "pesan asli", "pesan awal",
    "eredeti üzenet", "mesaj original", "αρχικό μήνυμα", "reply message", "ursprüngliche mail",
    "original appointment",
})  # fmt: skip
"""What is written between two rules of hyphens above a mail that is answered."""

FORWARDED: Final = frozenset({
    "forwarded message", "forwarded mail", "forwarded by", "weitergeleitete nachricht", "weitergeleitete mail",
    "message transféré", "message réexpédié", "mensaje reenviado", "messaggio inoltrato", "mensagem encaminhada",
    "mensagem reencaminhada", "doorgestuurd bericht", "vidarebefordrat meddelande", "videresendt meddelelse",
    "videresendt melding", "välitetty viesti", "edelleenlähetetty viesti", "пересылаемое сообщение",
    "пересланное сообщение", "переслане повідомлення", "转发的邮件", "转发邮件", "转发邮件信息", "轉寄郵件",
    "轉寄的郵件", "轉寄訊息", "転送メッセージ", "転送されたメッセージ", "forwarded messages", "전달된 메일",
    "전달된 메시지", "전달한 메시지", "iletilen ileti", "yönlendirilmiş ileti", "yönlendirilen ileti",
    "przekazana wiadomość", "wiadomość przekazana dalej", "treść przekazanej wiadomości", "přeposlaná zpráva",
    "předaná zpráva", "preposlaná správa", "رسالة معاد توجيهها", "رسالة مُعاد توجيهها", "הודעה שהועברה",
    "پیام بازارسال‌شده", "پیام ارسال شده", "अग्रेषित संदेश", "ফরওয়ার্ড করা বার্তা", "ফরোয়ার্ড করা বার্তা",
    "فارورڈ کردہ پیغام", "thư đã chuyển tiếp", "thư được chuyển tiếp", "pesan terusan", "pesan yang diteruskan",
    "továbbított üzenet", "mesaj redirecționat", "προωθημένο μήνυμα",
})  # fmt: skip
"""What is written between two rules of hyphens above a mail that is passed on."""

BEGIN_FORWARDED: Final = frozenset({
    "begin forwarded message", "anfang der weitergeleiteten nachricht", "début du message réexpédié",
    "début du message transféré", "inicio del mensaje reenviado", "comienzo del mensaje reenviado",
    "inizio messaggio inoltrato", "início da mensagem encaminhada", "início da mensagem reencaminhada",
    "begin doorgestuurd bericht", "vidarebefordrat brev", "start på videresendt besked", "videresendt melding",
    "начало переадресованного сообщения", "початок листа, що пересилається", "початок переправленого повідомлення",
    "开始转发的邮件", "以下是转发的邮件", "开始转发的信息", "以下是轉寄的郵件", "開始轉寄郵件",
    "転送されたメッセージ", "下記は転送されたメールです", "전달된 메시지", "다음은 전달된 메시지입니다",
    "başlangıçta iletilen mesaj", "iletilen ileti başlangıcı", "początek przekazywanej wiadomości",
    "začátek přeposílané zprávy", "začátek přeposlané zprávy", "بداية الرسالة المعاد توجيهها",
    "بدء الرسالة المُعاد توجيهها", "תחילת ההודעה שהועברה", "تحویل پیام ارسال شده", "अग्रेषित संदेश प्रारंभ",
    "bắt đầu thư được chuyển tiếp", "mulai pesan terusan", "välitetty viesti alkaa",
})  # fmt: skip
"""What Apple Mail writes above a mail that is passed on, without its colon."""

SENT_FROM: Final = (
    "sent from my ", "sent from mail for windows", "sent from outlook", "sent from yahoo mail",
    "sent from proton mail", "sent from samsung ", "sent from galaxy", "sent from the all new",
    "sent with proton mail", "sent with protonmail", "get outlook for ", "sent on the go", "sent from gmail",
    "sent from fairemail", "von meinem ", "von meiner ", "gesendet von ", "gesendet mit ",
    "diese nachricht wurde von meinem android", "envoyé de mon ", "envoyé depuis ", "envoyé à partir de ",
    "provenance : courrier", "télécharger outlook pour", "obtenir outlook pour", "enviado desde ",
    "enviado do meu ", "enviado a partir do ", "enviado via ", "obtener outlook para", "obter o outlook para",
    "inviato da ", "inviato dal mio ", "scarica outlook per", "ottieni outlook per", "verzonden vanaf mijn ",
    "verstuurd vanaf mijn ", "verzonden vanuit ", "outlook voor ", "skickat från ", "sendt fra min ", "sendt fra ",
    "lähetetty ", "отправлено с ", "отправлено из ", "отправлено от ", "надіслано з ", "надіслано із ",
    "wysłane z ", "wysłano z ", "odesláno z ", "odoslané z ", "发自我的", "从我的", "發自我的", "從我的",
    "傳送自我的", "来自 outlook", "获取 outlook", "iphoneから送信", "私のiphoneから送信", "ipadから送信",
    "androidから送信", "나의 iphone에서 보냄", "내 iphone에서 보냄", "나의 ipad에서 보냄",
    "iphone'umdan gönderildi", "iphone’umdan gönderildi", "ipad'imden gönderildi",
    "android uygulamasından gönderildi", "تم الإرسال من ", "أُرسلت من ", "أرسلت من ", "נשלח מה", "‫נשלח מה",
    "ارسال شده از ", "मेरे iphone से भेजा", "আমার iphone থেকে ", "میرے iphone سے ", "gửi từ ", "đã gửi từ ",
    "dikirim dari ", "terkirim dari ", "küldve az ", "trimis de pe ", "στάλθηκε από ",
)  # fmt: skip
"""How a line begins that a telephone or a program writes as a signature."""

DEVICES: Final = (
    "iphon", "ipad", "ipod", "android", "samsung", "galaxy", "huawei", "xiaomi", "windows", "outlook", "proton",
    "yahoo", "gmail", "blackberry", "handy", "smartphone", "móvil", "celular", "手机", "手機", "телефон", "nokia",
    "pixel", "fairemail", "mobile device", "mobile phone", "mobiltelefon", "mobilgerät", "tablet", "on the go",
)  # fmt: skip
"""One of these names is in such a line."""

LIST_MARKS: Final = (
    "mailing list", "listinfo", "mailman", "unsubscribe", "groups.google", "google groups",
    "you received this message because", "to unsubscribe", "list archive", "lists.", "mailingliste",
    "liste de diffusion", "lista de correo", "рассылк", "邮件列表", "メーリングリスト", "@lists", "-request@",
    "/hyperkitty", "groups.io",
)  # fmt: skip
"""One of these is in the footer of a mailing list."""

LIST_STARTS: Final = (
    "to unsubscribe", "unsubscribe:", "you received this", "you are receiving this", "you're receiving this",
    "you are subscribed", "you are currently subscribed", "this message was sent to", "this mail was sent to",
    "mailing list:", "list archive", "list-archive", "list-unsubscribe", "groups.io links", "yahoo! groups links",
    "yahoo groups links", "sie erhalten diese", "sie haben diese nachricht erhalten", "um sich ", "zum abmelden",
    "vous recevez ce", "vous avez reçu ce message", "pour se désabonner", "pour vous désabonner",
    "has recibido este mensaje porque", "para cancelar", "para anular", "hai ricevuto questo messaggio perché",
    "per annullare", "você recebeu esta mensagem porque", "вы получили это сообщение",
)  # fmt: skip
"""How a line in such a footer begins."""

SPEAKERS: Final = frozenset({
    "I", "I'm", "I’m", "I'd", "I’d", "I'll", "I’ll", "I've", "I’ve", "me", "my", "My", "mine", "ich", "Ich", "mir",
    "mich", "mein", "meine", "meinen", "je", "Je", "moi", "mon", "yo", "Yo", "mí", "io", "Io", "eu", "Eu", "meu", "ik",
    "Ik", "mij", "mijn", "jag", "Jag", "mig", "я", "Я", "мне", "меня", "мой", "mnie", "我", "私",
})  # fmt: skip
"""Words of a person, which no such footer has."""

NEGATIONS: Final = frozenset({"not", "no", "never", "nicht", "nie", "pas", "non", "não", "niet", "inte", "ikke", "не"})
"""Words of a sentence about a telephone, which is no signature."""

LEGAL_STARTS: Final = (
    "confidentiality notice", "confidentiality:", "confidential notice", "disclaimer:", "disclaimer",
    "legal notice", "legal disclaimer", "privileged and confidential", "this email and any", "this e-mail and any",
    "this message and any", "this email is intended", "this e-mail is intended", "this message is intended",
    "this message contains confidential", "this email contains confidential", "this e-mail contains confidential",
    "this email may contain", "this e-mail may contain", "this message may contain",
    "this communication is intended", "this communication contains", "this transmission",
    "the information contained in this", "the information in this e", "the contents of this e",
    "this e-mail message", "this email message", "notice: this e", "important notice", "important: this e",
    "this email, including", "this e-mail, including", "this electronic m", "diese e-mail enthält",
    "diese e-mail kann", "diese nachricht enthält", "diese e-mail ist", "diese nachricht ist",
    "der inhalt dieser e-mail", "vertraulichkeitshinweis", "rechtlicher hinweis", "dieses e-mail", "ce message et",
    "ce courriel", "cet e-mail", "ce message est", "ce mail", "avis de confidentialité",
    "l'intégrité de ce message", "este mensaje", "este correo", "aviso legal", "aviso de confidencialidad",
    "la información contenida en este", "esta mensagem", "este e-mail", "este email", "aviso de confidencialidade",
    "as informações contidas", "questo messaggio", "le informazioni contenute", "questa e-mail", "questa email",
    "ai sensi del", "avviso di riservatezza", "dit bericht", "deze e-mail", "dit e-mailbericht",
    "de informatie in dit", "detta meddelande", "det här meddelandet", "ta wiadomość", "niniejsza wiadomość",
    "treść tej wiadomości", "informacja zawarta", "tento e-mail", "tato zpráva", "данное сообщение",
    "это сообщение", "настоящее сообщение", "настоящее электронное", "информация, содержащаяся", "це повідомлення",
    "bu e-posta", "bu mesaj", "bu ileti", "本邮件", "此邮件", "本電子郵件", "本郵件", "此電子郵件", "このメール",
    "本メール", "이 메일은", "본 메일은", "이 전자우편", "هذه الرسالة", "هذا البريد", "إخلاء مسؤولية", "הודעה זו",
    "דואר אלקטרוני זה", "این پیام", "این ایمیل", "email này", "thư này", "email ini", "surel ini", "pesan ini",
    "यह ईमेल", "এই ইমেল", "এই ইমেইল", "یہ ای میل",
)  # fmt: skip
"""How a legal footer begins."""

LEGAL_MARKS: Final = (
    "confidentiality notice", "intended recipient", "intended solely", "intended only", "intended for the use",
    "intended for the person",
    "intended for the individual", "intended for the named", "sole use", "addressee", "legally privileged",
    "be privileged", "or privileged", "privileged and", "and privileged", "privileged information",
    "if you have received", "if you are not the", "e-mail in error", "email in error", "message in error",
    "communication in error", "transmission in error", "it in error", "unauthorized", "unauthorised",
    "strictly prohibited", "confidential and", "confidential information", "are confidential", "is confidential",
    "be confidential", "empfänger", "irrtümlich", "vertraulich", "destinataire", "erreur", "confidentiel",
    "destinatari", "destinatári", "por error", "por engano", "confidencial", "riservat", "per errore", "geadresseerde",
    "vertrouwelijk", "mottagare", "konfidentiell", "poufn", "adresat", "důvěrn", "adresát", "конфиденциальн",
    "получател", "адресат", "конфіденційн", "gizli", "alıcı", "保密", "机密", "機密", "收件人", "誤送",
    "誤って", "受信者", "错收", "错误收到", "立即删除",
    "수신인", "기밀", "سري", "المرسل إليه", "عن طريق الخطأ", "המיועד", "חסוי", "محرمانه", "گیرنده", "اشتباه", "bảo mật",
    "người nhận", "nhầm", "rahasia", "penerima", "kesalahan", "गोपनीय", "प्राप्तकर्ता", "गलती", "গোপনীয়", "প্রাপক", "ভুল",
    "خفیہ", "وصول کنندہ", "غلطی",
)  # fmt: skip
"""Two of these are in the first paragraph of a legal footer."""
